"""FLIP, against NVIDIA's own program.

usage: flip_test.py WRITE_FLIP_PAIRS FOLDER VENV
WRITE_FLIP_PAIRS writes pairs of pictures into FOLDER and prints what we say of each. flip-evaluator is installed into
VENV, once; when that cannot be done, exit code 77 says 'skipped'.
"""
import os
import subprocess
import sys

from package_venv import enter_venv

PACKAGES = ["flip-evaluator==1.7", "numpy==2.3.5"]
ALLOWED = 1e-3


def main(program, folder):
    import flip_evaluator

    printed = subprocess.run([program, folder], check=True, capture_output=True, text=True).stdout
    apart = []
    for line in printed.splitlines():
        number, ours, name = line.split(" ", 2)
        photo, render = (os.path.join(folder, f"{number}_{what}.png") for what in ("photo", "render"))
        theirs = flip_evaluator.evaluate(photo, render, "LDR", applyMagma=False)[1]
        print(f"{name}: ours {float(ours):.6f}, theirs {theirs:.6f}")
        apart.append(abs(float(ours) - theirs))
    assert len(apart) >= 6 and max(apart) <= ALLOWED, max(apart)


if __name__ == "__main__":
    if sys.argv[-1] != "inside":
        enter_venv(sys.argv[3], PACKAGES)
    main(*sys.argv[1:3])
