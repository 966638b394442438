"""What the commands of the program do, in this process: by hs_job_new() and hs_job_run() of the library."""

import atexit
import ctypes
import os

from hipsplat import _library
from hipsplat._errors import ArgumentError
from hipsplat._library import call, failure, library

CANCELLED = 8  # HS_CANCELLED


def _plain(value):
    """A value as JSON has it; what is no number and no list is text."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (os.PathLike, bytes)):
        return os.fsdecode(value)
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return _plain(value.tolist()) if hasattr(value, "tolist") else str(value)


def _settings(options):
    import json

    try:
        given = {name: _plain(value) for name, value in options.items() if value is not None}
        return json.dumps(given, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ArgumentError(f"a setting is not UTF-8: {error.object!r}") from None


def _callbacks(put, wanted, preview):
    """Callbacks that put what they are told, as dicts, into a queue. They are called from threads of the job."""
    import json

    def facts(_, text, *_more):
        put(json.loads(text.decode()))

    def picture(_, rgb, width, height, iteration):
        import numpy

        pixels = numpy.ctypeslib.as_array(ctypes.cast(rgb, ctypes.POINTER(ctypes.c_uint8)), (height, width, 3)).copy()
        put({"type": "preview", "iteration": iteration, "rgb": pixels})

    def text_of(text):
        return text.decode(errors="replace")

    known = {
        "stage": _library.STAGE(lambda _, name: put({"type": "stage", "name": text_of(name)})),
        "step": _library.STEP(lambda _, done, total: put({"type": "step", "done": done, "total": total})),
        "reading": _library.STEP(lambda _, done, total: put({"type": "reading", "done": done, "total": total})),
        "progress": _library.PROGRESS(facts),
        "predicted": _library.PREDICTED(lambda _, memory, seconds: put(
            {"type": "predicted", "memory_bytes": memory, "seconds": seconds})),
        "result": _library.RESULT(facts),
        "log": _library.LOG(lambda _, level, line: put({"type": "log", "level": level, "line": text_of(line)})),
    }
    callbacks = _library.JobCallbacks(**{name: known[name] for name in wanted})
    if preview is not None:
        callbacks.preview = _library.PREVIEW(picture)
        callbacks.preview_seconds = preview
    return callbacks


class _Handle:
    """A job of the library. Its thread frees it; until then it can be cancelled."""

    def __init__(self, verb, options):
        import threading

        self._lock = threading.RLock()  # a collection of garbage may come in between
        self.pointer = ctypes.c_void_p()
        call("hs_job_new", verb.encode(), _settings(options), ctypes.byref(self.pointer))

    def cancel(self):
        with self._lock:
            library.hs_job_cancel(self.pointer)  # null, once it is freed

    def free(self):
        with self._lock:
            pointer, self.pointer = self.pointer, None
            library.hs_job_free(pointer)

    def run(self, callbacks, said):
        status = library.hs_job_run(self.pointer, ctypes.byref(callbacks))
        end = None if status in (0, CANCELLED) else failure(status)
        self.free()
        del _running[self]
        said.put(end)


_running = {}  # handles, and their threads


@atexit.register
def _end_all():
    """A thread of a job must not outlive the interpreter that its callbacks need."""
    for handle, thread in list(_running.items()):
        handle.cancel()
        thread.join()


def _log(level, line):
    import logging

    logging.getLogger("hipsplat").log((logging.INFO, logging.WARNING, logging.ERROR)[level], "%s", line)


class Job:
    """A job on a thread of its own. Iterating gives what it says, as dicts, in the caller's thread; its notes and
    warnings go to the logger `hipsplat`. At the end a failure is raised."""

    def __init__(self, verb, options, wanted, preview=None):
        import queue
        import threading

        self._handle = _Handle(verb, options)
        self._said = queue.SimpleQueue()
        self._ended = False
        callbacks = _callbacks(self._said.put, (*wanted, "result", "log"), preview)
        # The thread knows nothing of this object: what is forgotten is ended.
        self._thread = threading.Thread(target=self._handle.run, args=(callbacks, self._said), daemon=True)
        _running[self._handle] = self._thread
        self._thread.start()

    def __iter__(self):
        return self

    def __next__(self):
        while not self._ended:
            try:
                said = self._said.get()
            except BaseException:  # Ctrl+C
                self.close()
                raise
            if said is None or isinstance(said, Exception):
                self._ended = True
                self._thread.join()
                if said is not None:
                    raise said
            elif said["type"] == "log":
                _log(said["level"], said["line"])
            else:
                return said
        raise StopIteration

    def close(self, seconds=None):
        """Ends the job at its next safe point, as Ctrl+C does, and waits for that, at most `seconds` where they are
        given."""
        self._ended = True
        self._handle.cancel()
        self._thread.join(seconds)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if hasattr(self, "_thread"):
            self._handle.cancel()


def run(verb, options, progress):
    """Runs a job to its end; its last result."""
    wanted = ("stage", "step", "reading", "progress", "predicted") if progress else ()
    last = None
    with Job(verb, options, wanted) as job:
        for said in job:
            if said["type"] not in ("stage", "step", "reading", "predicted", "progress", "align"):
                last = said
            if progress:
                progress(said)
    return last


def mesh(splats, output, progress=None, **options):
    """A triangle mesh of a file of splats, as .glb, .obj or .ply: `hipsplat mesh`."""
    return run("mesh", {**options, "input": splats, "output": output}, progress)


def film(splats, output, path=None, progress=None, **options):
    """A film of a file of splats along a path (None: an orbit), as .mp4, .webm, .mov, or pictures in a folder:
    `hipsplat render --path`."""
    return run("film", {**options, "input": splats, "output": output, "path": path}, progress)


def render_views(splats, cameras, output, progress=None, **options):
    """Pictures, in a folder, of a file of splats from all views of a dataset, a cameras.json or a run: `hipsplat
    render --cameras`."""
    return run("render", {**options, "input": splats, "cameras": cameras, "output": output}, progress)


def convert(inputs, output, progress=None, **options):
    """A file of splats, or a list of them that are merged, in the format of the output: `hipsplat convert`."""
    return run("convert", {**options, "input": inputs, "output": output}, progress)


def align(photos, output, progress=None, **options):
    """The cameras of a folder of photos, or of a video, by COLMAP, which must be installed: `hipsplat align`."""
    return run("align", {**options, "input": photos, "output": output}, progress)


def evaluate(splats, data, progress=None, **options):
    """PSNR, SSIM and FLIP of a file of splats on the views that a dataset holds out: `hipsplat evaluate`."""
    return run("evaluate", {**options, "input": splats, "data": data}, progress)
