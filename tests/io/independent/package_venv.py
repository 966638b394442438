"""Packages of the Python package index for a test: installed once, into a virtual environment of their own."""
import os
import subprocess
import sys
import venv

SKIPPED = 77


def enter_venv(folder, packages):
    """Runs the script again with the Python of the venv in `folder`, which is made when it is not there, and 'inside' as
    its last argument. Where the packages cannot be had, exit code 77 says 'skipped'."""
    python = os.path.join(folder, "bin", "python")
    done = os.path.join(folder, "installed " + " ".join(packages))
    if not os.path.exists(done):
        try:
            venv.create(folder, with_pip=True, clear=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages],
                           check=True, timeout=240)
        except (OSError, subprocess.SubprocessError) as error:
            print(f"skipped: the packages cannot be installed ({error})")
            sys.exit(SKIPPED)
        open(done, "w").close()
    os.execv(python, [python, *sys.argv, "inside"])
