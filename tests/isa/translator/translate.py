#!/usr/bin/env python3
"""The machine code of a host library's GPU kernels as C++.

translate.py LIBRARY ARCHITECTURE OUT_FOLDER --parts N [--objdump COMMAND]
Writes part_0.cpp .. part_<N-1>.cpp, one a code object in the order of registration, and forms.txt: how often each form of
an instruction occurs. A part whose code object and translator are the same as before is left alone. An instruction,
operand or modifier without a rule ends the translation with exit code 1 and its name; nothing falls through.
"""
import argparse
import hashlib
import json
import pathlib
import re
import sys
import tempfile

from code_object import BadFile, CodeObject, code_objects, content_name
from disassembly import disassemble
from instructions import MACHINE, Translator
from operands import Unknown
from units import UNITS, changes_lanes, unit_of

HERE = pathlib.Path(__file__).resolve().parent
_ENDS_BLOCK = re.compile(r'goto|return')


def translator_version():
    """Changes with everything that the C++ depends on, but the semantics behind the functions' names."""
    files = [*sorted(HERE.glob('*.py')), MACHINE / 'lane_ops.inc', MACHINE / 'scalar_ops.inc', MACHINE / 'units.inc']
    return hashlib.sha256(b''.join(file.read_bytes() for file in files)).hexdigest()[:16]


def check_mode(kernel, architecture):
    """The floating-point mode that the semantics are written for, and no scratch memory."""
    if kernel.rsrc1 >> 12 & 0xff != 0xf0:
        raise Unknown(f'float mode {kernel.rsrc1 >> 12 & 0xff:#x} of {kernel.name}')
    if not architecture.startswith('gfx12') and (kernel.rsrc1 >> 21 & 5) != 5:
        raise Unknown(f'{kernel.name} without IEEE mode and DX10 clamp')
    if kernel.scratch:
        raise Unknown(f'{kernel.name} needs {kernel.scratch} bytes of scratch memory')


def function(kernel, number, instructions, unknown):
    """C++ of a kernel."""
    translator, body, targets, resumes = Translator(kernel.wave), [], set(), []
    for i in instructions:
        if i.mnemonic == 's_code_end':
            continue
        try:
            code = translator.statement(i)
        except (Unknown, KeyError, ValueError, IndexError) as problem:
            unknown.setdefault(i.form(), [0, i.text, str(problem)])[0] += 1
            continue
        targets |= {int(t, 16) for t in re.findall(r'goto L([0-9a-f]+)', code)}
        resumes += [int(t, 16) for t in re.findall(r'\bR([0-9a-f]+):', code)]
        body.append((i, code))
    lines = [f'// {kernel.name}', f'int kernel_{number}(void* state) {{',
             f'Wave<{kernel.wave}>& w = *static_cast<Wave<{kernel.wave}>*>(state);', 'switch (w.resume) {', 'case 0: break;']
    lines += [f'case {at:#x}: goto R{at:x};' for at in resumes] + ['}']
    block, segments = [], []

    def flush():
        if block:
            lines.append(f'enter_segment(w, visits_{number}[{len(segments)}], {len(block)});')
            lines.extend(code for code, _ in block)
            segments.append([[unit for _, unit in block].count(n) for n in range(len(UNITS))])
            block.clear()
    for i, code in body:
        if i.at in targets:
            flush()
            lines.append(f'L{i.at:x}:;')
        needs_place = code and not re.match(r'\{?v_(?!readlane|writelane|readfirst|cmpx)|return|if \(true', code)
        place = f'w.at = {i.at:#x}; ' if needs_place else ''
        block.append((f'{place}{code}  // {i.text}'.replace('\\', '/'), unit_of(i)))
        if _ENDS_BLOCK.search(code) or changes_lanes(i):
            flush()
    flush()
    counts = [f'u64 visits_{number}[{max(1, len(segments))}][2];', f'[[maybe_unused]] const u16 segments_{number}[][kUnits] = {{',
              *(f'{{{", ".join(map(str, segment))}}},' for segment in segments or [[0]]), '};']
    return counts + lines + ['end_of_code(w);', '}']


def description(kernel, number):
    """The entry of a kernel in the table that the runtime reads."""
    arguments = ', '.join(f'{{{a[".offset"]}, {a[".size"]}}}' for a in kernel.arguments
                          if not a['.value_kind'].startswith('hidden'))
    hidden = ', '.join(str(kernel.hidden(f'hidden_{kind}')) for kind in ('block_count_x', 'group_size_x', 'grid_dims'))
    segments = f'{{segments_{number}, visits_{number}, std::size(segments_{number})}}'
    return (f'{{"{kernel.name}", {kernel.wave}, kernel_{number}, {kernel.lds}, {kernel.kernarg}, {kernel.properties:#x}, '
            f'{kernel.rsrc1:#x}, {kernel.rsrc2:#x}, {kernel.meta[".vgpr_count"]}, {hidden}, {segments}, {{{arguments}}}}},')


def translate(code, architecture, objdump, unknown):
    """C++ of a code object, and (form, how often) of what it contains."""
    with tempfile.NamedTemporaryFile(suffix='.co') as file:
        file.write(code)
        file.flush()
        symbols = disassemble(objdump, file.name)
    elf = CodeObject(code)
    kernels = elf.kernels
    lines, forms = ['[[maybe_unused]] u64 loaded_at = 0;'], {}
    for number, kernel in enumerate(kernels):
        check_mode(kernel, architecture)
        instructions = [i for i in symbols.get(kernel.name, []) if i.at < kernel.entry + kernel.size]
        lines += function(kernel, number, instructions, unknown)
        for i in instructions:
            forms[i.form()] = forms.get(i.form(), 0) + 1
    if 's_getpc_b64' in forms and elf.has_relocations():
        raise Unknown('constants whose addresses the loader writes')
    lines += ['const KernelCode kernels[] = {', *(description(kernel, n) for n, kernel in enumerate(kernels)), '};',
              f'const Registration registration({{0x{content_name(code)}ull, &loaded_at, "{architecture}", kernels, {len(kernels)}}});']
    return lines, forms


def write_part(folder, number, code, architecture, objdump, unknown):
    """Writes a part unless it is there already; its (form, how often)."""
    file, forms_file = folder / f'part_{number}.cpp', folder / f'part_{number}.forms'
    stamp = f'// Code object {content_name(code) if code else "none"} of {architecture} by translator {translator_version()}.'
    if file.exists() and forms_file.exists() and file.open().readline().strip() == stamp:
        return json.loads(forms_file.read_text())
    lines, forms = translate(code, architecture, objdump, unknown) if code else ([], {})
    if not unknown:
        forms_file.write_text(json.dumps(forms))
        file.write_text('\n'.join([stamp, '#include "tests/isa/machine/translated.h"', 'namespace isa {', 'namespace {',
                                   *lines, '}  // namespace', '}  // namespace isa', '']))
    return forms


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('library')
    parser.add_argument('architecture')
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--parts', type=int, required=True)
    parser.add_argument('--objdump', default='llvm-objdump')
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    objects = list(code_objects(arguments.library, arguments.architecture))
    if not 0 < len(objects) <= arguments.parts:
        sys.exit(f'{arguments.library} holds {len(objects)} code objects for {arguments.architecture}; '
                 f'there is room for 1 to {arguments.parts}')
    unknown, forms = {}, {}
    for number in range(arguments.parts):
        code = objects[number] if number < len(objects) else b''
        for form, count in write_part(arguments.folder, number, code, arguments.architecture, arguments.objdump.split(),
                                      unknown).items():
            forms[form] = forms.get(form, 0) + count
    if unknown:
        for form, (count, text, why) in sorted(unknown.items()):
            print(f'unknown: {form}: {count} times, such as "{text}" ({why})', file=sys.stderr)
        sys.exit(f'{arguments.library}: {len(unknown)} forms of instructions of {arguments.architecture} have no rule')
    (arguments.folder / 'forms.txt').write_text(''.join(f'{count} {form}\n' for form, count in sorted(forms.items())))


if __name__ == '__main__':
    try:
        main()
    except (BadFile, Unknown) as problem:
        sys.exit(f'translate.py: {problem}')
