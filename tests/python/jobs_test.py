"""What the commands of the program do, from Python: its reports, its bytes, its sentences, and how a job is ended."""

import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import numpy as np

import hipsplat

DEMO = os.environ["HIPSPLAT_DEMO"]
PROGRAM = os.environ.get("HIPSPLAT_PROGRAM") or os.path.join(os.path.dirname(sys.executable), "hipsplat")
SPLATS = "point_cloud/iteration_30/point_cloud.ply"
SHORT = dict(iterations=30, resolution=8, backend="cpu")
ENDLESS = dict(SHORT, iterations=1000000)


class InAFolder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.out = os.path.join(self.folder.name, "out")

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def bytes(self, *names):
        return Path(self.folder.name, *names).read_bytes()

    def program(self, *words):
        subprocess.run([PROGRAM, *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def checkpoints(self):
        return list(Path(self.out).glob("checkpoints/*.checkpoint"))


class Training(InAFolder):
    def test_a_run_reports_and_ends_in_a_summary(self):
        run = hipsplat.train(DEMO, self.out, **SHORT, eval=True, report=None)
        types = [report["type"] for report in run]
        self.assertEqual((types[0], types[-1]), ("start", "summary"))
        self.assertIn("progress", types)
        self.assertEqual(run.summary["iterations"], 30)
        self.assertGreater(len(hipsplat.load(run.summary["output"])), 100)
        self.assertEqual(list(run), [])

    def test_twice_gives_the_bytes_of_the_program(self):
        self.program("train", DEMO, "-o", self.path("theirs"), "--iterations", "30", "-r", "8", "--backend", "cpu")
        for name in ("first", "second"):
            list(hipsplat.train(DEMO, Path(self.path(name)), **SHORT))
            self.assertEqual(self.bytes(name, SPLATS), self.bytes("theirs", SPLATS))
            self.assertEqual(self.bytes(name, "config.json"), self.bytes("theirs", "config.json"))

    def test_closing_leaves_a_checkpoint(self):
        with hipsplat.train(DEMO, self.out, **ENDLESS) as run:
            for report in run:
                if report["type"] == "progress":
                    break
        self.assertFalse(run._thread.is_alive())
        self.assertTrue(self.checkpoints())
        self.assertEqual(list(run), [])

    def test_what_is_forgotten_is_ended(self):
        run = hipsplat.train(DEMO, self.out, **ENDLESS)
        thread = run._thread
        next(run)
        del run
        gc.collect()
        thread.join(60)
        self.assertFalse(thread.is_alive())
        self.assertTrue(self.checkpoints())

    def test_previews_are_pictures(self):
        pictures = [said for said in hipsplat.train(DEMO, self.out, preview=0, **SHORT) if said["type"] == "preview"]
        self.assertTrue(pictures)
        rgb = pictures[-1]["rgb"]
        self.assertEqual((rgb.dtype, rgb.ndim, rgb.shape[2]), (np.uint8, 3, 3))
        self.assertGreater(rgb.max(), 40)
        self.assertLessEqual(pictures[-1]["iteration"], 30)

    def test_failures_are_the_programs_sentence(self):
        with self.assertRaisesRegex(hipsplat.ArgumentError, "no_such_scene"):
            list(hipsplat.train("no_such_scene", self.out))
        with self.assertRaisesRegex(hipsplat.ArgumentError, "--no-such-option"):
            list(hipsplat.train(DEMO, self.out, no_such_option=3))
        with self.assertRaisesRegex(hipsplat.ArgumentError, "did you mean --iterations"):
            hipsplat.train(DEMO, self.out, iteratons=3)
        with self.assertRaisesRegex(hipsplat.ArgumentError, "--iterations needs a whole number"):
            hipsplat.train(DEMO, self.out, iterations="many")
        with self.assertRaisesRegex(hipsplat.ArgumentError, "not UTF-8"):
            hipsplat.train(b"\xff", self.out)
        with self.assertRaisesRegex(hipsplat.DeviceError, "the backend 'cuda' is not usable here"):
            list(hipsplat.train(DEMO, self.out, backend="cuda", device=99))
        self.assertFalse(os.path.exists(self.out))


class Others(InAFolder):
    @classmethod
    def setUpClass(cls):
        cls.trained = tempfile.TemporaryDirectory()
        cls.run_folder = os.path.join(cls.trained.name, "run")
        list(hipsplat.train(DEMO, cls.run_folder, **SHORT))

    @classmethod
    def tearDownClass(cls):
        cls.trained.cleanup()

    def test_files_are_those_of_the_program(self):
        run, said = self.run_folder, []
        self.program("mesh", run, "-o", self.path("theirs.ply"), "--mesh-detail", "coarse", "--data", DEMO, "-r", "8",
                     "--backend", "cpu")
        made = hipsplat.mesh(run, self.path("ours.ply"), said.append, mesh_detail="coarse", data=DEMO, resolution=8,
                             backend="cpu")
        self.assertEqual(self.bytes("ours.ply"), self.bytes("theirs.ply"))
        self.assertEqual((made["type"], made["output"]), ("summary", self.path("ours.ply")))
        self.assertTrue({"stage", "step", "predicted", "summary"} <= {one["type"] for one in said})

        self.program("convert", run, self.path("theirs.spz"), "--min-opacity", "0.1")
        made = hipsplat.convert([run], self.path("ours.spz"), min_opacity=np.float64(0.1))
        self.assertEqual(self.bytes("ours.spz"), self.bytes("theirs.spz"))
        self.assertGreater(made["splats"], 0)

        made = hipsplat.film(run, self.path("film"), size="64x48", seconds=0.1, backend="cpu")
        self.assertEqual((made["pictures"], len(list(Path(self.path("film")).glob("*.png")))), (3, 3))
        made = hipsplat.render_views(run, run, self.path("views"), resolution=8, backend="cpu")
        self.assertTrue(all(os.path.exists(picture) for picture in made["pictures"]))
        self.assertGreater(hipsplat.evaluate(run, DEMO, resolution=8, backend="cpu")["psnr"], 5)

    def test_an_error_of_the_callback_ends_the_job(self):
        class Enough(Exception):
            pass

        def enough(said):
            if said["type"] == "step":
                raise Enough

        with self.assertRaises(Enough):
            hipsplat.mesh(self.run_folder, self.path("a.ply"), enough, mesh_detail="coarse", backend="cpu")
        self.assertFalse(os.path.exists(self.path("a.ply")))
        self.assertFalse([thread for thread in threading.enumerate() if thread is not threading.main_thread()])

    def test_notes_go_to_the_logger(self):
        with self.assertLogs("hipsplat", "INFO") as logged:
            hipsplat.evaluate(self.run_folder, DEMO, resolution=8, backend="cpu")
        self.assertTrue(any("the cpu was asked for" in line for line in logged.output), logged.output)

    def test_failures_are_the_programs_sentence(self):
        for call, words in ((lambda: hipsplat.mesh("no.ply", self.path("a.ply")), "no.ply"),
                            (lambda: hipsplat.mesh("no.ply", self.path("a.doc")), "a mesh cannot be written as"),
                            (lambda: hipsplat.convert([], self.path("a.ply")), "have no 'input'"),
                            (lambda: hipsplat.convert("a.ply", self.path("a.ply"), eval=True), "with --clean only"),
                            (lambda: hipsplat.film("a.ply", self.path("a.mp4"), fps="x"), "--fps"),
                            (lambda: hipsplat.align(self.path("none"), self.path("scene")), "there is no"),
                            (lambda: hipsplat.mesh("a.ply", self.path("a.ply"), quiet=True), "of the program alone")):
            with self.assertRaisesRegex(hipsplat.ArgumentError, words):
                call()


class Ending(InAFolder):
    """In a process of its own, which says when the run has begun."""

    def child(self, more):
        script = (f"import hipsplat\nrun = hipsplat.train({DEMO!r}, {self.out!r}, **{ENDLESS!r})\n"
                  "while next(run)['type'] != 'progress':\n    pass\nprint('begun', flush=True)\n" + more)
        child = subprocess.Popen([sys.executable, "-B", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 text=True)
        self.assertEqual(child.stdout.readline(), "begun\n")
        return child

    def test_ctrl_c_ends_the_run_and_is_raised(self):
        child = self.child("for report in run:\n    pass\n")
        time.sleep(0.2)
        child.send_signal(signal.SIGINT)
        said = child.communicate(timeout=60)[1]
        self.assertIn("KeyboardInterrupt", said)
        self.assertEqual(child.returncode, -signal.SIGINT, said)
        self.assertTrue(self.checkpoints())

    def test_a_process_that_ends_takes_its_run_along(self):
        child = self.child("")
        said = child.communicate(timeout=60)
        self.assertEqual((child.returncode, *said), (0, "", ""))
        self.assertTrue(self.checkpoints())


if __name__ == "__main__":
    unittest.main()
