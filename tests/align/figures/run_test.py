#!/usr/bin/env python3
"""tests/align/figures/run with the stand-in for colmap, small: each kind of figure comes out, and its arithmetic.

  run_test.py HIPSPLAT FAKE_COLMAP
"""

import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PROGRAM, COLMAP = (sys.argv.pop(1) for _ in range(2))
sys.path.insert(0, str(HERE))
import geometry  # noqa: E402


class Geometry(unittest.TestCase):
    def test_a_similarity_is_found_and_what_is_left_measured(self):
        numbers = random.Random(3)
        truth = {str(i): [numbers.gauss(0, 1) for _ in range(3)] for i in range(20)}
        x = geometry.unit([1, 2, -1])
        y = geometry.unit(geometry.cross(x, [0.3, 0, 1]))
        rotation = [x, y, geometry.cross(x, y)]
        found = {
            name: geometry.plus(geometry.times(2.7, geometry.apply(rotation, p)), [3, -4, 5])
            for name, p in truth.items()
        }
        self.assertLess(max(geometry.position_errors(found, truth)), 1e-12)
        found["7"] = geometry.plus(found["7"], [0.27, 0, 0])  # 0.1 in the units of truth
        errors = geometry.position_errors(found, truth)
        self.assertGreater(max(errors), 0.08)
        self.assertLess(max(errors), 0.11)
        self.assertLess(sum(errors) / len(errors), 0.02)

    def test_a_path_goes_through_its_places_and_closes(self):
        places = [[math.cos(a), math.sin(a), 0] for a in (0, 1, 2, 3, 4, 5)]
        for i, place in enumerate(places):
            self.assertLess(math.dist(geometry.catmull_rom(places, i / 6), place), 1e-12)
        steps = [geometry.catmull_rom(places, k / 600) for k in range(601)]
        self.assertLess(max(math.dist(a, b) for a, b in zip(steps, steps[1:])), 0.03)

    def test_positions_of_a_model_are_read(self):
        positions = geometry.model_positions(ROOT / "assets/demo/sparse/0/images.bin")
        self.assertEqual(len(positions), 32)
        self.assertGreater(geometry.extent(list(positions.values())), 1)
        self.assertLess(geometry.extent(list(positions.values())), 2)


class Run(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = Path(cls.folder.name)
        os.environ["HIPSPLAT_COLMAP"] = COLMAP
        words = [PROGRAM, "--train", ROOT / "assets/demo", "-r", "160", "-i", "0", "-o", cls.path / "trained"]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def figures(self, *words):
        words = [sys.executable, HERE / "run", *words, "--program", PROGRAM]
        done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return json.loads(done.stdout)

    def test_photos(self):
        out = self.path / "photos"
        figures = self.figures("photos", self.path / "trained", out, "--count", 8, "--size", "64x48")
        self.assertEqual((figures["photos"], figures["registered"]), (8, 8))
        self.assertGreater(figures["mean_error"], 0)  # the stand-in places them on a line
        self.assertIn("mapping", figures["stages"])
        self.assertEqual(len(list((out / "pictures").glob("*.png"))), 8)

    def test_video(self):
        if not shutil.which("ffmpeg"):
            self.skipTest("ffmpeg is not installed")
        out, film = self.path / "video", ["--seconds", 2, "--fps", 12, "--size", "160x120", "--encoder", "mpeg4"]
        figures = self.figures("video", self.path / "trained", out, "--count", 8, *film)
        self.assertEqual(figures["what"], "video")
        self.assertEqual((figures["photos"], figures["registered"]), (8, 8))

    def test_kills(self):
        photos = self.path / "some photos"
        photos.mkdir()
        for i in range(8):
            shutil.copy(ROOT / f"assets/demo/images/view_00{i}.jpg", photos)
        os.environ["FAKE_COLMAP_DELAY_MS"] = "20"
        self.addCleanup(os.environ.pop, "FAKE_COLMAP_DELAY_MS")
        figures = self.figures("kills", photos, self.path / "kills", "--times", 3)
        self.assertGreaterEqual(figures["kills"], 1)
        self.assertEqual(figures["registered"], [8, 8, 8])
        self.assertLess(figures["lost_seconds"]["largest"], 60)


if __name__ == "__main__":
    unittest.main()
