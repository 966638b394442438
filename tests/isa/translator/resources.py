#!/usr/bin/env python3
"""What the kernels of a host library take of each architecture, as a table in Markdown: resources.py LIBRARY TARGET...

Vector registers / scalar registers / waves per SIMD, and bytes of LDS in a block, from the code objects' metadata. The
waves are those that vector registers and LDS leave room for.
Exit code 1 where a kernel of ours spills or needs scratch memory.
"""
import re
import sys

from code_object import CodeObject, code_objects

# Vector registers of a SIMD for a lane, the unit they are given out in, and the most waves. LLVM, AMDGPUBaseInfo.
SIMDS = {'gfx9': (256, 4, 10), 'gfx90a': (512, 8, 8), 'gfx94': (512, 8, 8), 'gfx10': (1024, 8, 20), 'gfx103': (1024, 16, 16),
         'gfx11': (1024, 16, 16), 'gfx1100': (1536, 24, 16), 'gfx1101': (1536, 24, 16), 'gfx1151': (1536, 24, 16),
         'gfx12': (1536, 24, 16)}
OURS = re.compile(r'splat3gpu\d+_GLOBAL__N_1\d+(\w+?)_kernel(I[A-Za-z0-9_]*?E)?E')


def waves(target, registers, lds, waves_of_block):
    """Waves per SIMD. Four SIMDs share 64 KiB of LDS (gfx9) or 128 KiB, given out by 512 bytes."""
    key = max((key for key in SIMDS if target.startswith(key)), key=len)
    total, unit, most = SIMDS[key]
    most = min(most, total // (-(-max(registers, 1) // unit) * unit))
    if not lds:
        return most
    room = 65536 if target.startswith('gfx9') else 131072
    return min(most, room // (-(-lds // 512) * 512) * waves_of_block // 4)


def short_name(name):
    match = OURS.search(name)
    if not match:
        return None
    numbers = [number for number in re.findall(r'Li(\d+)E', match[2] or '')]
    return match[1] + (f'<{", ".join(numbers)}>' if numbers else '')


def main():
    library, targets = sys.argv[1], sys.argv[2:]
    rows, spilled = {}, []
    for target in targets:
        for code in code_objects(library, target):
            for kernel in CodeObject(code).kernels:
                meta, name = kernel.meta, short_name(kernel.name)
                beyond = [meta.get(key, 0) for key in ('.private_segment_fixed_size', '.vgpr_spill_count', '.sgpr_spill_count')]
                if any(beyond):
                    spilled.append(f'{target} {name or kernel.name}: {beyond[0]} bytes of scratch, {beyond[1]} vector and '
                                   f'{beyond[2]} scalar registers spilled')
                if name and kernel.size > 64:  # the instantiation for the other wave size is empty
                    name = re.sub(r'<(32|64)(, )?', lambda m: '<' if m[2] else '<', name).replace('<>', '')
                    registers = meta['.vgpr_count']
                    waves_of_block = -(-meta['.max_flat_workgroup_size'] // kernel.wave)
                    text = f'{registers}/{meta[".sgpr_count"]}/{waves(target, registers, kernel.lds, waves_of_block)}'
                    rows.setdefault(name, {})[target] = text + (f' L{kernel.lds}' if kernel.lds else '')
    print('| kernel | ' + ' | '.join(targets) + ' |\n|---|' + '---|' * len(targets))
    for name in sorted(rows):
        print(f'| {name} | ' + ' | '.join(rows[name].get(target, '') for target in targets) + ' |')
    print('\n' + ('\n'.join(spilled) if spilled else 'No scratch memory and no spilled registers, rocPRIM\'s kernels included.'))
    sys.exit(any('splat' in line or not line.split()[1].startswith('_Z') for line in spilled))


if __name__ == '__main__':
    main()
