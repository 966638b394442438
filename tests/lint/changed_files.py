"""What has changed in the working tree and since a commit: for the scripts beside this one."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def git(*words):
    ran = subprocess.run(["git", "-C", str(ROOT), *words], text=True, capture_output=True)
    return ran.stdout.split("\n")[:-1] if ran.returncode == 0 else []


def our_files(*patterns):
    """Paths of the files that git knows, or that it does not ignore."""
    return {str(ROOT / name) for name in git("ls-files", "--cached", "--others", "--exclude-standard", *patterns)}


def changed_files(since):
    """Paths of C++ files that differ from the commit, or that git does not know yet. Without a commit: from where the
    branch left origin/main, or from the last commit where it did not."""
    head, base = git("rev-parse", "HEAD"), git("merge-base", "HEAD", "origin/main")
    since = since or (base[0] if base and base != head else "HEAD~1")
    if not git("rev-parse", since):
        print(f"there is no commit {since} here: only what is not committed is checked")
        since = "HEAD"
    names = git("diff", "--name-only", "--diff-filter=d", since) + git("ls-files", "--others", "--exclude-standard")
    return {str(ROOT / name) for name in names if name.endswith((".cpp", ".h"))}
