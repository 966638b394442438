"""What hipsplat writes, read by programs that are not ours: plyfile, gsply (PLY, compressed PLY and SPZ) and ply2splat.

usage: splat_formats_test.py FOLDER VENV
FOLDER has model.ply and what independent_files made of the same model. The packages are installed into VENV, once; when
that cannot be done, exit code 77 says 'skipped'.
"""
import os
import subprocess
import sys
import venv

PACKAGES = ["plyfile==1.1.5", "gsply==0.4.6", "zstandard==0.25.0", "ply2splat==0.6.0"]
SKIPPED = 77


def enter_venv(folder):
    """Runs this script again with the Python of the venv, which is made when it is not there."""
    python = os.path.join(folder, "bin", "python")
    done = os.path.join(folder, "installed " + " ".join(PACKAGES))
    if not os.path.exists(done):
        try:
            venv.create(folder, with_pip=True, clear=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES],
                           check=True, timeout=240)
        except (OSError, subprocess.SubprocessError) as error:
            print(f"skipped: the packages cannot be installed ({error})")
            sys.exit(SKIPPED)
        open(done, "w").close()
    os.execv(python, [python, __file__, *sys.argv[1:], "inside"])


def near(name, ours, theirs, bound):
    import numpy as np
    assert ours.shape == theirs.shape, f"{name}: {ours.shape} and {theirs.shape}"
    worst = float(np.max(np.abs(ours.astype("f8") - theirs.astype("f8")))) if ours.size else 0.0
    print(f"  {name}: at most {worst:.3g} apart, {bound:.3g} allowed")
    assert worst <= bound, name


def main(folder):
    import gsply
    import numpy as np
    from plyfile import PlyData

    def path(name):
        return os.path.join(folder, name)

    def sigmoid(x):
        return 1 / (1 + np.exp(-x.astype("f8")))

    def unit(q):
        q = q / np.linalg.norm(q, axis=1, keepdims=True)
        return q * np.where(q[:, :1] < 0, -1, 1)

    # expected.bin: the model as float32, row by row: mean 3, log scale 3, quaternion 4, logit opacity, SH [16, 3].
    rows = np.fromfile(path("expected.bin"), "<f4").reshape(-1, 59)
    mean, scale, quat, opacity, sh = np.split(rows, [3, 6, 10, 11], axis=1)
    opacity, sh = opacity[:, 0], sh.reshape(-1, 16, 3)

    print("PLY, by plyfile")
    vertex = PlyData.read(path("model.ply"))["vertex"]

    def columns(*names):
        return np.stack([np.asarray(vertex[name]) for name in names], axis=1)

    near("positions", mean, columns("x", "y", "z"), 0)
    near("scales", scale, columns("scale_0", "scale_1", "scale_2"), 0)
    near("rotations", quat, columns("rot_0", "rot_1", "rot_2", "rot_3"), 0)
    near("opacities", opacity, np.asarray(vertex["opacity"]), 0)
    near("colours", sh[:, 0], columns("f_dc_0", "f_dc_1", "f_dc_2"), 0)
    near("harmonics", sh[:, 1:].transpose(0, 2, 1).reshape(-1, 45), columns(*[f"f_rest_{i}" for i in range(45)]), 0)

    def check(data, order, bounds, frame=(1, 1, 1)):
        """gsply's arrays; rows `order` of ours, in the order of the file, with the axes' signs changed by `frame`."""
        x, y, z = frame
        turn = np.array([1, y * z, x * z, x * y])
        signs = np.array([1, y, z, x, x * y, y * z, 1, x * z, 1, y, x * y * z, y, z, x, z, x])
        limit = bounds.get("limit", 4)
        stored = np.clip(sh[order] * signs[:, None], -limit, limit)
        near("positions", mean[order] * np.array(frame), data.means, bounds["mean"])
        near("scales", scale[order], data.scales, bounds["scale"])
        near("rotations", unit(quat[order].astype("f8") * turn), unit(data.quats.astype("f8")), bounds["quat"])
        near("opacities", sigmoid(opacity[order]), sigmoid(data.opacities.reshape(-1)), bounds["opacity"])
        near("colours", sh[order, 0], data.sh0.reshape(-1, 3), bounds["dc"])
        near("degree 1", stored[:, 1:4], data.shN.reshape(-1, 15, 3)[:, :3], bounds["sh1"])
        near("degree 2 and 3", stored[:, 4:], data.shN.reshape(-1, 15, 3)[:, 3:], bounds["sh2"])

    def order_of(means):
        """Which of our rows each of theirs is: the nearest."""
        return np.array([np.argmin(np.sum((mean - m) ** 2, axis=1)) for m in means])

    print("PLY, by gsply")
    exact = dict(mean=0, scale=0, quat=1e-6, opacity=0, dc=0, sh1=0, sh2=0)
    check(gsply.plyread(path("model.ply")), np.arange(len(rows)), exact)

    print("compressed PLY, by gsply")
    data = gsply.plyread(path("model.compressed.ply"))
    span = float(np.ptp(mean, axis=0).max())
    check(data, order_of(data.means),
          dict(mean=span / 1023, scale=float(np.ptp(scale, axis=0).max()) / 1023, quat=0.0048,
               opacity=1 / 510 + 1e-6, dc=float(np.ptp(sh[:, 0])) / 255, sh1=1 / 32, sh2=1 / 32))

    steps = dict(mean=1 / 8192 + 1e-6, scale=1 / 32 + 1e-5, quat=0.0048, opacity=1 / 510 + 1e-6,
                 dc=0.5 / (0.15 * 255) + 1e-5,
                 sh1=4.5 / 128 + 1e-6, sh2=8.5 / 128 + 1e-6, limit=1)
    for version in (3, 4):
        print(f"SPZ version {version}, by gsply")
        data = gsply.read_spz(path(f"model.v{version}.spz"))
        check(data, np.arange(len(rows)), steps, frame=(1, -1, -1))  # gsply leaves the file's frame as it is

    print(".splat, beside the one that ply2splat makes of our PLY")
    subprocess.run([os.path.join(os.path.dirname(sys.executable), "ply2splat"), "--input", path("model.ply"), "--output",
                    path("theirs.splat")],
                   check=True, stdout=subprocess.DEVNULL)
    record = np.dtype([("mean", "<f4", 3), ("scale", "<f4", 3), ("rgba", "u1", 4), ("quat", "u1", 4)])
    ours, theirs = (np.fromfile(path(name), record) for name in ("model.splat", "theirs.splat"))
    ours, theirs = (splats[np.lexsort(splats["mean"].T)] for splats in (ours, theirs))
    near("positions", ours["mean"], theirs["mean"], 0)
    near("scales", np.log(ours["scale"]), np.log(theirs["scale"]), 1e-5)
    near("colours", ours["rgba"], theirs["rgba"], 1)
    sign = np.where(np.sum((ours["quat"] - 128.0) * (theirs["quat"] - 128.0), axis=1, keepdims=True) < 0, -1, 1)
    near("rotations", (ours["quat"] - 128.0), sign * (theirs["quat"] - 128.0), 2)


if __name__ == "__main__":
    if sys.argv[-1] != "inside":
        enter_venv(sys.argv[2])
    main(sys.argv[1])
    print("all agree")
