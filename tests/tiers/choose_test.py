#!/usr/bin/env python3
"""tests/tiers/choose: which groups of tests run after which changes."""

import importlib.machinery
import importlib.util
import subprocess
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
loader = importlib.machinery.SourceFileLoader("choose", str(HERE / "choose"))
choose = importlib.util.module_from_spec(importlib.util.spec_from_loader("choose", loader))
loader.exec_module(choose)
choose.COMPILERS = ("c++",)  # the others take a second to say their names
GROUPS = choose.read_groups((HERE / "groups").read_text())


class Paths(unittest.TestCase):
    def groups_of(self, *paths):
        return choose.groups_of(paths, GROUPS)

    def test_every_input_is_there(self):
        for name, inputs in GROUPS.items():
            self.assertTrue(inputs, name)
            for path in inputs:
                there = (ROOT / path).is_dir() if path.endswith("/") else (ROOT / path).is_file()
                self.assertTrue(there, f"{name}: {path}")

    def test_kernels(self):
        for path in ("splat/backend/gpu/loss.hip", "splat/backend/backend.h", "splat/math/ssim.h",
                     "splat/core/gpu_sort.h", "splat/model/gaussian_rows.h", "tests/splat/backend/parity_test.cpp",
                     "tests/support/parity.cpp"):
            self.assertTrue({"isa", "emulated"} <= set(self.groups_of(path)), path)

    def test_rooms(self):
        self.assertEqual(self.groups_of("viewer/shell/gl_window.cpp"), ["window"])
        self.assertEqual(self.groups_of("shaders/splat.vert"), ["window"])
        self.assertEqual(self.groups_of("splat/train/trainer.cpp"), ["faults", "mingw"])
        self.assertEqual(self.groups_of("io/splats/spz/spz.cpp"), ["faults", "mingw", "tools", "web"])
        self.assertEqual(self.groups_of("align/match/matcher.cpp"), ["faults", "tools"])
        self.assertEqual(self.groups_of("packaging/release"), ["packaging"])
        self.assertEqual(self.groups_of("docs/formats.md"), ["docs"])
        self.assertEqual(self.groups_of("CONTRIBUTING.md", "tests/rules/rules_test.cpp"), [])
        self.assertEqual(self.groups_of(), [])

    def test_neither_names_that_begin_alike_nor_parts_of_them_are_inputs(self):
        self.assertFalse(choose.is_input("docs/README.md", ["README.md"]))
        self.assertFalse(choose.is_input("iota/file.cpp", ["io/"]))
        self.assertFalse(choose.is_input("README.md.in", ["README.md"]))

    def test_what_builds_counts_for_all(self):
        for path in ("CMakeLists.txt", "tests/CMakeLists.txt", "cmake/Dependencies.cmake", "cmake/setup.sh", "check",
                     ".ci/run", "tests/tiers/groups", "tests/tiers/choose"):
            self.assertEqual(self.groups_of(path), list(GROUPS), path)

    def test_a_folders_list_of_sources_counts_for_what_is_within(self):
        inputs = ["splat/math/", "tests/isa/", "quickstart"]
        for path in ("CMakeLists.txt", "splat/CMakeLists.txt", "splat/math/CMakeLists.txt", "tests/CMakeLists.txt",
                     "tests/isa/runtime/CMakeLists.txt"):
            self.assertTrue(choose.is_input(path, inputs), path)
        for path in ("viewer/CMakeLists.txt", "tests/io/CMakeLists.txt"):
            self.assertFalse(choose.is_input(path, inputs), path)

    def test_what_is_left_out_is_neither_built_nor_run(self):
        self.assertEqual(choose.words(["b"], ["a", "b", "c"]),
                         (["all", "group_b"], ["--output-on-failure", "-LE", "^(a|c)$", "-E", "_NOT_BUILT$"]))
        self.assertEqual(choose.words(["a"], ["a"]), (["all", "group_a"], ["--output-on-failure"]))


class Clone(unittest.TestCase):
    """A small checkout with two rooms, each of which is the input of a group."""

    groups = {"left": ["left/"], "right": ["right/"]}

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build, self.main, self.root = (Path(folder.name) / name for name in ("build", "main", "clone"))
        self.build.mkdir()
        self.git("init", "-q", "-b", "main", str(self.main), at=folder.name)
        self.commit(self.main, "left/a", "right/a")
        self.git("clone", "-q", str(self.main), str(self.root), at=folder.name)
        self.passed = self.root / ".git/check-passed"

    def git(self, *words, at):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(at), *words], check=True,
                       capture_output=True)

    def write(self, root, *names):
        for name in names:
            (root / name).parent.mkdir(exist_ok=True)
            with open(root / name, "a") as file:
                file.write("more\n")

    def commit(self, root, *names):
        self.write(root, *names)
        self.git("add", "-A", at=root)
        self.git("commit", "-qm", "More", at=root)

    def choose(self, *options):
        choose.begin(self.build, self.root)
        return choose.chosen(self.root, self.groups, "--all" in options)

    def pass_all(self):
        choose.keep_passed(self.build, self.root)

    def test_where_nothing_is_known_everything_runs(self):
        self.assertEqual(self.choose()[0], ["left", "right"])

    def test_on_a_branch_what_differs_from_main_runs(self):
        self.commit(self.root, "left/b")
        taken, sentence = self.choose()
        self.assertEqual(taken, ["left"])
        self.assertRegex(sentence, r"^left out, inputs unchanged since [0-9a-f]{9}: right; \./check --all runs them$")

    def test_what_has_passed_need_not_run_again(self):
        self.choose()
        self.pass_all()
        self.assertEqual(self.choose()[0], [])
        self.assertEqual(self.choose("--all")[0], ["left", "right"])
        self.commit(self.root, "right/b")
        self.assertEqual(self.choose()[0], ["right"])
        self.assertEqual(self.choose()[0], ["right"], "it has not passed yet")
        self.pass_all()
        self.assertEqual(self.choose()[0], [])

    def test_a_worktree_knows_what_has_passed_in_another(self):
        self.choose()
        self.pass_all()
        other = self.root.parent / "worktree"
        self.git("worktree", "add", "-q", "-b", "other", str(other), at=self.root)
        self.commit(other, "left/b")
        self.assertEqual(choose.chosen(other, self.groups, False)[0], ["left"])

    def test_what_is_not_committed_has_changed_and_passes_for_no_commit(self):
        self.choose()
        self.pass_all()
        self.write(self.root, "left/new")
        self.assertEqual(self.choose()[0], ["left"])
        self.pass_all()
        self.assertEqual(self.choose()[0], ["left"])
        self.git("rm", "-q", "right/a", at=self.root)
        self.assertEqual(self.choose()[0], ["left", "right"])

    def test_a_file_that_moves_has_changed_in_both_places(self):
        self.choose()
        self.pass_all()
        self.git("mv", "left/a", "right/b", at=self.root)
        self.assertEqual(self.choose()[0], ["left", "right"])

    def test_what_changes_while_the_tests_run_has_not_passed(self):
        self.choose()
        self.commit(self.root, "left/b")
        self.pass_all()
        self.assertFalse(self.passed.exists())

    def test_other_compilers_and_lost_commits_count_as_changes_of_everything(self):
        self.choose()
        self.pass_all()
        known = self.passed.read_text()
        self.passed.write_text(known + "another compiler\n")
        self.assertEqual(self.choose()[0], ["left", "right"])
        self.passed.write_text("0" * 40 + known[40:])
        self.assertEqual(self.choose()[0], ["left", "right"])

    def test_without_git_everything_runs(self):
        (self.root / ".git").rename(self.root / "git")
        self.assertEqual(self.choose()[0], ["left", "right"])
        self.pass_all()


if __name__ == "__main__":
    unittest.main()
