"""What has changed in the working tree and since a commit: for the scripts beside this one, and tests/tiers/choose."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def git(*words, root=ROOT):
    ran = subprocess.run(["git", "-C", str(root), *words], text=True, capture_output=True)
    return ran.stdout.split("\n")[:-1] if ran.returncode == 0 else []


def our_files(*patterns):
    """Paths of the files that git knows, or that it does not ignore."""
    return {str(ROOT / name) for name in git("ls-files", "--cached", "--others", "--exclude-standard", *patterns)}


def left_main(root=ROOT):
    """The commit where the branch left origin/main; nothing where it did not, or where there is no such branch."""
    head, base = git("rev-parse", "HEAD", root=root), git("merge-base", "HEAD", "origin/main", root=root)
    return base[0] if base and base != head else ""


def names_changed(since, *options, root=ROOT):
    """Names of files that differ from the commit, or that git does not know yet."""
    return (git("diff", "--name-only", "--no-renames", *options, since, root=root) +
            git("ls-files", "--others", "--exclude-standard", "--full-name", root=root))


def changed_files(since):
    """Paths of C++ files that differ from the commit, or that git does not know yet. Without a commit: from where the
    branch left origin/main, or from the last commit where it did not."""
    since = since or left_main() or "HEAD~1"
    if not git("rev-parse", since):
        print(f"there is no commit {since} here: only what is not committed is checked")
        since = "HEAD"
    return {str(ROOT / name) for name in names_changed(since, "--diff-filter=d") if name.endswith((".cpp", ".h"))}
