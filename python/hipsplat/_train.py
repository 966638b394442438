"""Training, as an iterator over what it reports."""

from hipsplat import _jobs
from hipsplat._library import real


class Training(_jobs.Job):
    """A run: iterating gives dicts with "type": "start", "progress", "eval", ..., "summary" at last.

    close(), or the end of a `with` block, ends the run as Ctrl+C does: it leaves a checkpoint.
    """

    def __init__(self, options, preview):
        super().__init__("train", options, ("stage", "progress"), preview)
        self.summary = None

    def __next__(self):
        report = super().__next__()
        if report["type"] == "summary":
            self.summary = report
        return report


def train(dataset, output, preview=None, **options):
    """Trains splats from a folder of photos, a COLMAP or transforms.json dataset, or a video: a Training to iterate.

    output: a folder, or a .ply file. options: those of the command line (`hipsplat train --help`), - as _:
    iterations=7000, resolution=2, eval=True. A failure is an Error with the program's sentence.
    preview: seconds from one picture of the run to the next; "type" is then also "preview", with the "iteration" and
    "rgb", numpy's [H,W,3] of 8 bits, of the first view of the dataset. None: none are drawn.
    """
    seconds = None if preview is None else max(real("preview", preview), 1e-9)
    return Training({**options, "input": dataset, "output": output}, seconds)
