#!/usr/bin/env python3
"""Puts the stand-in runtime in the place of libamdhip64, which differs between ROCm 5, 6 and 7 in name and versions.

stand_in.py link LIBRARY RUNTIME FOLDER     in FOLDER a link to RUNTIME, named as LIBRARY asks the dynamic loader for it
stand_in.py versions LIBRARY MAP            a version script for the linker, with the versions that LIBRARY asks for
"""
import pathlib
import sys

from code_object import needed_libraries, needed_versions

RUNTIME = 'libamdhip64.so'


def link(library, runtime, folder):
    names = [name for name in needed_libraries(library) if name.startswith(RUNTIME)]
    if len(names) != 1:
        sys.exit(f'{library} needs {names or "no"} libamdhip64')
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(RUNTIME + '*'):
        old.unlink()
    (folder / names[0]).symlink_to(runtime.resolve())


def main():
    if sys.argv[1] == 'link':
        link(sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4]))
        return
    text = ''.join(f'{version} {{ global: {" ".join(name + ";" for name in sorted(names))} }};\n'
                   for version, names in sorted(needed_versions(sys.argv[2], RUNTIME).items()))
    target = pathlib.Path(sys.argv[3])
    if not target.exists() or target.read_text() != text:
        target.write_text(text)


if __name__ == '__main__':
    main()
