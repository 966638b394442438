#!/usr/bin/env python3
"""tests/gpu/run on the emulated device: what it writes, and that nothing done is lost when a step fails or hangs.

Run with HIPSPLAT_PLUGINS naming the emulated plugin, and the build folder as the argument.
"""
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = Path(sys.argv.pop(1) if len(sys.argv) > 1 else HERE.parents[1] / "build-check")

# Stands for a Python that has gsplat: says it is there, and hands out figures for a scene that can be read.
GSPLAT = """#!/bin/sh
if [ "$1" = -c ]; then exit 0; fi
test "$(head -c 6 "$3")" = splats || exit 5
echo '{"ms_per_iteration": 9.5, "psnr": 61.25, "ssim": 0.99991, "device": "planted"}'
"""
BROKEN_GSPLAT = """#!/bin/sh
if [ "$1" = -c ]; then exit 0; fi
echo "planted trouble" >&2
exit 7
"""
SANITIZER = """#!/bin/sh
while [ "${1#--}" != "$1" ]; do shift 2; done
"$@" && echo "========= ERROR SUMMARY: 0 errors"
"""
HANGING = """#!/bin/sh
if [ "$1" = -c ]; then exit 0; fi
sleep 1000 &
sleep 1000
"""


class GpuRun(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        self.out = self.path / "results.md"

    def tearDown(self):
        self.folder.cleanup()

    def script(self, name, text):
        path = self.path / name
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def run_it(self, *words, script=HERE / "run", **environment):
        command = [sys.executable, str(script), "--quick", "--out", str(self.out), *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, timeout=400)

    def results(self):
        return json.loads(self.out.with_suffix(".json").read_text())

    def test_everything_is_in_the_results(self):
        ran = self.run_it("--build", BUILD, "--gsplat-python", self.script("gsplat", GSPLAT), "--sanitizer",
                          self.script("sanitizer", SANITIZER), "--bandwidth", 1000)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        data, text = self.results(), self.out.read_text()
        self.assertEqual(data["failures"], 0)
        self.assertEqual([p["what"] for p in data["proofs"]],
                         ["doctor", "parity, a first part", "compute-sanitizer memcheck"])
        self.assertRegex(data["proofs"][1]["result"], r"^[1-9]\d* tests passed, 0 failed$")
        self.assertIn("ERROR SUMMARY: 0 errors", data["proofs"][2]["result"])
        self.assertEqual([row["splats"] for row in data["speed"]], [300, 600])
        self.assertEqual(len(data["deterministic"]), 2)
        for row in data["speed"] + data["deterministic"]:
            self.assertGreater(row["ms_per_iteration"], 0)
            self.assertGreater(row["stages"]["blend_backward"]["ms"], 0)
        self.assertEqual(data["speed"][0]["gsplat"]["ms_per_iteration"], 9.5)
        on_gpu, on_cpu = data["training"]
        self.assertEqual((on_gpu["backend"], on_cpu["backend"]), ("hip", "cpu"))
        self.assertAlmostEqual(on_gpu["psnr"], on_cpu["psnr"], delta=0.2)
        self.assertAlmostEqual(on_gpu["by_cpu"]["psnr"], on_gpu["psnr"], delta=0.02)
        self.assertEqual(on_gpu["by_gsplat"]["ssim"], 0.99991)
        for part in ("## emulated GPU", "| proof |", "| 300 | 48x32 |", "| demo | hip |", "| demo | cpu |", "0 failures",
                     "61.2 dB", "| 9.500 |", "for 1000 GB/s", "What `--deterministic` costs"):
            self.assertIn(part, text)
        rows = [line for line in text.splitlines() if line.startswith("|")]
        for row, next_row in zip(rows, rows[1:]):
            if next_row.startswith("|---"):
                self.assertEqual(row.count("|"), next_row.count("|"), "the table's head is as wide as its body")

    def test_a_failure_is_told_and_the_rest_goes_on(self):
        ran = self.run_it("--build", BUILD, "--gsplat-python", self.script("gsplat", BROKEN_GSPLAT), "--sanitizer", "none")
        self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
        data = self.results()
        self.assertEqual(data["failures"], 3)  # two sizes and the drawing of the trained splats
        self.assertTrue(any("planted trouble" in what for what in data["left"]), data["left"])
        self.assertEqual(len(data["speed"]), 2)
        self.assertEqual(len(data["training"]), 2)
        self.assertIn("planted trouble", self.out.with_suffix(".log").read_text())

    def test_what_was_done_is_kept_when_time_is_up(self):
        start = time.monotonic()
        ran = self.run_it("--build", BUILD, "--gsplat-python", self.script("gsplat", HANGING), "--budget", 60)
        self.assertLess(time.monotonic() - start, 70)
        data = self.results()
        self.assertGreaterEqual(len(data["proofs"]), 2, ran.stdout)
        self.assertGreaterEqual(len(data["speed"]), 1, ran.stdout)
        self.assertTrue(any(re.search(r"gsplat at 300@48x32: stopped after \d+ s", what) for what in data["left"]), data)
        self.assertTrue(any("training demo on cpu: no time was left" in what for what in data["left"]), data)
        self.assertEqual(ran.returncode, 1, "a step that hangs is a failure: " + ran.stdout)

    def test_without_a_gpu_it_says_so(self):
        ran = self.run_it("--build", BUILD, HIPSPLAT_PLUGINS=str(self.path))
        self.assertEqual(ran.returncode, 3)
        self.assertIn("No GPU works here", ran.stdout)
        self.assertIn("the plugin for AMD GPUs is not there", ran.stdout)

    def test_a_bundle_runs_by_itself(self):
        bundle = self.path / "bundle"
        made = subprocess.run([sys.executable, str(HERE / "run"), "--build", str(BUILD), "--bundle", str(bundle)],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertRegex(made.stdout, r"\d+ MB; on the other machine")
        self.assertFalse(list((bundle / "build/lib").glob("libc.so*")))
        # A minute's budget: nothing but the beginning is of interest here.
        ran = self.run_it("--budget", 30, "--sanitizer", "none", "--gsplat-python", "/none",
                          script=bundle / "tests/gpu/run", PATH="/usr/bin:/bin")
        self.assertIn(ran.returncode, (0, 1), ran.stderr)
        self.assertEqual(self.results()["proofs"][0]["what"], "doctor")


if __name__ == "__main__":
    unittest.main()
