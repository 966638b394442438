#!/usr/bin/env python3
"""Writes the tests of single instructions: make.py ARCHITECTURE OUT_FOLDER --mc COMMAND --objdump COMMAND --parts N.

The cases are assembled, disassembled and translated like the plugin's code: part_<n>.cpp. cases.txt has what stands before
and after; forms.txt the forms of instructions that have a case.
"""
import argparse
import pathlib
import subprocess
import sys
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'translator'))

import cross_lane_cases
import dual_cases
import lane_cases
import mask_cases
import memory_cases
import scalar_cases
from cases import Architecture, Suite
from disassembly import disassemble
from translate import function


def write_if_changed(file, text):
    if not file.exists() or file.read_text() != text:
        file.write_text(text)


def assemble(suite, folder, mc):
    source, result = folder / 'cases.s', folder / 'cases.o'
    source.write_text(suite.assembler())
    subprocess.run([*mc, '-triple=amdgcn-amd-amdhsa', f'-mcpu={suite.architecture.name}', '-filetype=obj', str(source), '-o',
                    str(result)], check=True)
    return result


def names_halves(architecture, mc):
    """Whether this assembler knows v2.l and v2.h in instructions of RDNA 3; older ones name whole registers there."""
    return architecture.startswith('gfx11') and subprocess.run(
        [*mc, '-triple=amdgcn-amd-amdhsa', f'-mcpu={architecture}', '-filetype=null'], input=b'v_mov_b16_e32 v1.l, v2.h\n',
        stderr=subprocess.DEVNULL, check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('architecture')
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--mc', default='llvm-mc')
    parser.add_argument('--objdump', default='llvm-objdump')
    parser.add_argument('--parts', type=int, default=4)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    mc = arguments.mc.split()
    suite = Suite(Architecture(arguments.architecture, names_halves(arguments.architecture, mc)))
    for cases in (lane_cases, mask_cases, scalar_cases, cross_lane_cases, memory_cases, dual_cases):
        cases.add_all(suite)
    write_if_changed(arguments.folder / 'cases.txt', suite.text())
    symbols = disassemble(arguments.objdump.split(), str(assemble(suite, arguments.folder, mc)))
    forms, unknown = {}, {}
    parts = [[] for _ in range(arguments.parts)]
    for number in range(len(suite.cases)):
        instructions = symbols[f'case_{number}']
        for i in instructions:
            forms[i.form()] = forms.get(i.form(), 0) + 1
        kernel = types.SimpleNamespace(name=f'case_{number}', wave=suite.architecture.wave)
        parts[number % arguments.parts] += function(kernel, number, instructions, unknown)
        parts[number % arguments.parts].append(f'const CaseRegistration case_{number}({number}, kernel_{number});')
    for form, (count, text, why) in sorted(unknown.items()):
        print(f'unknown: {form}: {count} times, such as "{text}" ({why})', file=sys.stderr)
    if unknown:
        sys.exit(1)
    for number, lines in enumerate(parts):
        write_if_changed(arguments.folder / f'part_{number}.cpp', '\n'.join(
            ['#include "tests/isa/instructions/run_cases.h"', 'namespace isa {', 'namespace {',
             f'[[maybe_unused]] const u64 loaded_at = {scalar_cases.LOADED_AT:#x};', *lines, '}  // namespace',
             '}  // namespace isa', '']))
    write_if_changed(arguments.folder / 'forms.txt', ''.join(f'{n} {form}\n' for form, n in sorted(forms.items())))


if __name__ == '__main__':
    main()
