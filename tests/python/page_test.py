"""page_test.py PAGE [PyTorch]: runs the Python that a page shows, in order, in a folder with scene.ply and my_scene: all
but its chapter PyTorch, or that alone.
"""

import os
import re
import sys
import tempfile
from pathlib import Path

import numpy

import hipsplat

page, _, chapter = Path(sys.argv[1]).read_text(encoding="utf-8").partition("\n## PyTorch\n")
torch_alone = sys.argv[2:] == ["PyTorch"]
page = chapter if torch_alone else page
blocks = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
assert len(blocks) >= (2 if torch_alone else 5), f"only {len(blocks)} blocks of Python in {sys.argv[1]}"
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    os.symlink(os.environ["HIPSPLAT_DEMO"], "my_scene")
    random = numpy.random.default_rng(1)
    hipsplat.save("scene.ply", dict(
        means=random.normal(size=(500, 3)), quats=random.normal(size=(500, 4)),
        log_scales=random.uniform(-4, -2, (500, 3)), logit_opacities=random.normal(size=500),
        sh=random.normal(size=(500, 4, 3)) / 3))
    names = {}
    for block in blocks:
        exec(compile(block, sys.argv[1], "exec"), names)  # noqa: S102
    if torch_alone:
        assert names["loss"] < 0.6 * names["first_loss"], names["loss"]
        sys.exit()
    assert names["rgb"].shape == (480, 640, 3) and names["rgb"].max() > 0.1
    assert Path("part.spz").stat().st_size > 0
    assert names["report"]["type"] == "summary", names["report"]
