"""The command `hipsplat`: the program itself, in this process."""

import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))


def main():
    program = os.path.join(FOLDER, "bin", "hipsplat")
    if not os.path.exists(program):
        sys.exit("error: this installation of the Python package has no program beside it")
    os.execv(program, ["hipsplat", *sys.argv[1:]])


if __name__ == "__main__":
    main()
