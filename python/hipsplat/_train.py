"""Training by the program `hipsplat`, as an iterator over what it reports."""

import os
import sys

from hipsplat._errors import ArgumentError, DeviceError, Error
from hipsplat._library import FOLDER

OF_EXIT_CODE = {2: ArgumentError, 3: DeviceError}


def find_program():
    """The program `hipsplat`: the package's, else the one on PATH (but not this package's own command)."""
    import shutil

    inside = os.path.join(FOLDER, "bin", "hipsplat")
    found = inside if os.path.exists(inside) else os.environ.get("HIPSPLAT_PROGRAM") or shutil.which("hipsplat")
    if not found:
        raise Error("the program hipsplat is not there: install the wheel, or put the program on PATH")
    return found


def _words(options):
    """resolution=2, eval=True -> --resolution 2 --eval; None and False are left out, lists are joined by commas."""
    words = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        words.append("--" + name.replace("_", "-"))
        if isinstance(value, (list, tuple)):
            words.append(",".join(map(str, value)))
        elif value is not True:
            words.append(os.fspath(value) if isinstance(value, os.PathLike) else str(value))
    return words


class Training:
    """A run: iterating gives dicts with "type": "start", "progress", "eval", ..., "summary" at last.

    close(), or the end of a `with` block, ends the run as Ctrl+C does: it leaves a checkpoint.
    """

    def __init__(self, words):
        import subprocess
        import tempfile

        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen([find_program(), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=self._errors)
        self.summary = None

    def __iter__(self):
        return self

    def __next__(self):
        import json

        if self._process is None:
            raise StopIteration
        for line in self._process.stdout:
            if line.startswith(b"{"):
                report = json.loads(line)
                if report.get("type") == "summary":
                    self.summary = report
                return report
        self._end()
        raise StopIteration

    def _end(self):
        """The program has ended, or closed its output: an exception where it failed."""
        process, self._process = self._process, None
        code = process.wait()
        process.stdout.close()
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").splitlines()
        self._errors.close()
        if code == 0:
            return
        errors = [line[len("error: "):] for line in lines if line.startswith("error: ")]
        said = errors or [line for line in lines if line]
        sentence = said[-1] if said else f"the program ended with the exit code {code} and said nothing"
        raise OF_EXIT_CODE.get(code, Error)(sentence)

    def close(self, seconds=60):
        """Ends the run; where it does not end within `seconds`, at once."""
        import signal
        import subprocess

        process, self._process = self._process, None
        if process is None:
            return
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        self._errors.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_process", None) is not None and not sys.is_finalizing():
            self.close()


def train(dataset, output, **options):
    """Trains splats from a folder of photos, a COLMAP or transforms.json dataset, or a video: a Training to iterate.

    output: a folder, or a .ply file. options: those of the command line (`hipsplat train --help`), - as _:
    iterations=7000, resolution=2, eval=True. A failure is an Error with the program's sentence.
    """
    return Training(["train", os.fspath(dataset), "--output", os.fspath(output), "--json", *_words(options)])
