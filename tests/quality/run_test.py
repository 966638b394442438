#!/usr/bin/env python3
"""tests/quality/run on a planted hipsplat, whose figures are known: table, differences, cache, files."""

import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent

# PSNR 20, one more for each --better, half a dB more for each seed; the fold shows in what is held out. Every call is
# noted. --broken ends with exit code 1.
PLANTED = r"""#!/usr/bin/env python3
import json, os, sys, time
from pathlib import Path
words = sys.argv[1:]
value = lambda name: words[words.index(name) + 1]
with open(os.environ["CALLS"], "a") as calls:
    calls.write(json.dumps(words) + "\n")
if "--broken" in words:
    sys.stderr.write("planted trouble\n")
    sys.exit(1)
if words[0] == "--evaluate":
    print(json.dumps({"psnr": 25.0, "views": []}))
    sys.exit(0)
if value("-i") == "0":
    names = [{"img_name": f"{i:02}.jpg"} for i in reversed(range(16))]
    (Path(value("-o")) / "cameras.json").write_text(json.dumps(names))
    sys.exit(0)
psnr = 20 + words.count("--better") + 0.5 * int(value("--seed")) + float(os.environ.get("MORE", 0))
print("a line that is no JSON")
for i in (1, 2):
    print(json.dumps({"type": "eval", "iteration": 1000 * i, "psnr": psnr - 2 + i, "ssim": 0.5, "splats": 100 * i}), flush=True)
views = [{"name": n, "psnr": psnr + 1 - 2 * (k % 2), "ssim": 0.5} for k, n in enumerate(value("--test-images").split(","))]
fit = {"psnr": 25.0, "photos": [{}], "held_out": {"psnr_confirmed_by_two": 22.0}}
fit = {"training_fit": fit} if "--better" in words else {}
print(json.dumps({"type": "summary", "psnr": psnr, "ssim": 0.5, "splats": 200, "seconds": 2, "views": views,
                  "peak_rss_bytes": 1000, "iterations": int(value("-i")), **fit}))
"""


class QualityRun(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        (self.path / "scene").mkdir()
        self.program = self.path / "hipsplat"
        self.program.write_text(PLANTED)
        self.program.chmod(0o755)

    def tearDown(self):
        self.folder.cleanup()

    def run_it(self, *words):
        return subprocess.run(
            [
                sys.executable,
                str(HERE / "run"),
                str(self.path / "scene"),
                "--program",
                str(self.program),
                "--cache",
                str(self.path / "cache"),
                "--nice",
                "0",
                *words,
            ],
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "CALLS": str(self.path / "calls")},
        )

    def calls(self, word):
        lines = (self.path / "calls").read_text().splitlines() if (self.path / "calls").exists() else []
        return [
            words
            for words in map(json.loads, lines)
            if words[0] == word and ("-i" not in words or words[words.index("-i") + 1] != "0")
        ]

    def test_means_and_paired_differences(self):
        done = self.run_it(
            "--set", "old=", "--set", "new=--better", "--folds", "0,3", "--seeds", "0,1", "--lengths", "2000"
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [
            [cell.strip() for cell in line.split("|")[1:-1]]
            for line in done.stdout.splitlines()
            if line.startswith("| scene")
        ]
        old, new = sorted(rows[1:], key=lambda row: row[2] == "new")
        # scene, length, set, runs, PSNR, SSIM, PSNR with fitted colours and of what two photos confirm (a program without
        # them), worst, gap, splats
        self.assertEqual(old[:11], ["scene", "2000", "old", "4", "20.25", "0.5000", "-", "-", "19.25", "4.75", "200"])
        self.assertEqual(new[:9], ["scene", "2000", "new", "4", "21.25", "0.5000", "-", "22.00", "20.25"])
        self.assertIn(
            "new - old, all, 2000, 4 pairs: PSNR +1.000 ±0.000, SSIM +0.0000 ±0.0000, worst +1.00 ±0.00", done.stdout
        )
        held_out = {words[words.index("--test-images") + 1] for words in self.calls("--train")}
        self.assertEqual(held_out, {"00.jpg,08.jpg", "03.jpg,11.jpg"})
        for words in self.calls("--evaluate"):  # the gap is taken on views that were trained on
            self.assertFalse(
                set(words[words.index("--test-images") + 1].split(",")) & {"00.jpg", "08.jpg"}
                and set(words[words.index("--test-images") + 1].split(",")) & {"03.jpg", "11.jpg"}
            )

    def test_what_was_run_is_not_run_again(self):
        words = ["--set", "old=", "--set", "new=--better", "--folds", "0", "--lengths", "2000"]
        first = self.run_it(*words)
        self.assertEqual(len(self.calls("--train")), 2)
        self.assertEqual(self.run_it(*words).stdout, first.stdout)
        self.assertEqual(len(self.calls("--train")), 2)
        self.run_it(*words, "--seeds", "0,1")  # only what is new
        self.assertEqual(len(self.calls("--train")), 4)
        self.program.write_text(PLANTED + "# another program\n")
        self.run_it(*words)
        self.assertEqual(len(self.calls("--train")), 6)

    def test_a_failure_is_named_and_what_was_done_is_kept(self):
        words = ["--set", "old=", "--folds", "0", "--lengths", "2000"]
        failed = self.run_it(*words, "--set", "new=--broken")
        self.assertEqual(failed.returncode, 1)
        self.assertIn("exit code 1: planted trouble", failed.stderr)
        self.assertEqual(self.run_it(*words).returncode, 0)
        self.assertEqual(sum("--broken" not in call for call in self.calls("--train")), 1)

    def test_variables_reach_the_program_and_count(self):
        done = self.run_it("--set", "old=", "--set", "new=MORE=2", "--lengths", "2000")
        self.assertIn("new - old, all, 2000, 1 pairs: PSNR +2.000,", done.stdout)

    def test_files(self):
        done = self.run_it(
            "--set",
            "old=",
            "--set",
            "new=--better",
            "--csv",
            str(self.path / "a.csv"),
            "--svg",
            str(self.path / "a.svg"),
            "--lengths",
            "1000,2000",
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path / "a.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(
            [(row["set"], row["length"], float(row["psnr"])) for row in rows],
            [("old", "1000", 20), ("new", "1000", 21), ("old", "2000", 20), ("new", "2000", 21)],
        )
        self.assertEqual(rows[1]["options"], "--better")
        svg = xml.etree.ElementTree.parse(self.path / "a.svg").getroot()
        self.assertEqual(len(svg.findall("{http://www.w3.org/2000/svg}polyline")), 4)  # two sets at two lengths

    def test_bad_words_are_refused(self):
        for words, said in (
            (["--set", "nothing"], "--set wants"),
            (["--folds", "x"], "--folds"),
            (["--folds", "9"], "no fold 9 of 8"),
            (["--of", "1"], "--of wants"),
            (["--program", "/nowhere"], "no program"),
        ):
            done = self.run_it(*words)
            self.assertNotEqual(done.returncode, 0, words)
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main()
