#!/usr/bin/env python3
"""The translator must refuse what it has no rule for: unknown_instruction.py ARCHITECTURE MC OBJDUMP.

An instruction, an operand, a modifier and a value of a modifier, each beside one that it knows.
"""
import pathlib
import subprocess
import sys
import tempfile
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'translator'))

from disassembly import disassemble
from translate import function

DUAL = 'v_dual_dot2acc_f32_f16 v2, v4, v6 :: v_dual_mov_b32 v3, v5'
KNOWN = ['v_add_f32_e32 v1, v2, v3', 's_mov_b32 s1, s2', 'global_load_dword v1, v[2:3], off']
UNKNOWN = ['v_cos_f32_e32 v1, v2', 's_setpc_b64 s[2:3]', 'v_mov_b32_sdwa v1, v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD',
           'ds_consume v1', 'buffer_load_dword v1, off, s[4:7], 0', 'v_add_u16_e64 v1, v2, v3 clamp']
# The same where the instruction is called otherwise or there is none: by the first architecture for which that holds.
INSTEAD = {'gfx10': {'v_add_u16_e64 v1, v2, v3 clamp': 'v_add_nc_u16 v1, v2, v3 clamp'},
           'gfx11': {UNKNOWN[2]: 'v_mov_b32_dpp v1, v2 dpp8:[7,6,5,4,3,2,1,0]', 'ds_consume v1': DUAL},
           'gfx12': {'buffer_load_dword v1, off, s[4:7], 0': 'buffer_load_b32 v1, off, s[4:7], null'}}


def is_known(line, architecture, mc, objdump):
    with tempfile.TemporaryDirectory() as folder:
        source, result = pathlib.Path(folder) / 'a.s', pathlib.Path(folder) / 'a.o'
        source.write_text(f'.text\n.type code,@function\ncode:\n{line}\ns_endpgm\n.size code, .-code\n')
        subprocess.run([mc, '-triple=amdgcn-amd-amdhsa', f'-mcpu={architecture}', '-filetype=obj', source, '-o', result], check=True)
        unknown = {}
        wave = 64 if architecture.startswith('gfx9') else 32
        function(types.SimpleNamespace(name='code', wave=wave), 0, disassemble([objdump], result)['code'], unknown)
        return not unknown


def main():
    architecture, mc, objdump = sys.argv[1:4]
    unknown = list(UNKNOWN)
    for first, instead in INSTEAD.items():
        if not architecture.startswith('gfx9') and int(architecture[3:-2]) >= int(first[3:]):
            unknown = [instead.get(line, line) for line in unknown]
    wrong = [line for line in KNOWN if not is_known(line, architecture, mc, objdump)]
    wrong += [line for line in unknown if is_known(line, architecture, mc, objdump)]
    if wrong:
        sys.exit(f'{architecture}: wrongly judged: {wrong}')
    print(f'{len(unknown)} unknown instructions refused, {len(KNOWN)} known ones taken')


if __name__ == '__main__':
    main()
