"""What hipsplat writes, read by programs that are not ours: plyfile, gsply (PLY, compressed PLY and SPZ), ply2splat,
pygltflib (GLB), and zipfile and Pillow (the parts of a SOG).

usage: splat_formats_test.py FOLDER VENV
FOLDER has model.ply and what independent_files made of the same model. The packages are installed into VENV, once; when
that cannot be done, exit code 77 says 'skipped'.
"""
import os
import subprocess
import sys

from package_venv import enter_venv

PACKAGES = ["plyfile==1.1.5", "gsply==0.4.6", "zstandard==0.25.0", "ply2splat==0.6.0",
            "pygltflib==1.16.5", "pillow==13.0.0"]


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

    print("GLB, by pygltflib")
    check_glb(path("model.glb"), mean, scale, unit(quat.astype("f8")), sigmoid(opacity), sh)

    print("SOG, by zipfile and Pillow")
    check_sog(path("model.sog"), mean, scale, unit(quat.astype("f8")), sigmoid(opacity), sh, order_of, unit)


def check_glb(file, mean, scale, quat, opacity, sh):
    import numpy as np
    import pygltflib
    gltf = pygltflib.GLTF2().load(file)
    blob = gltf.binary_blob()
    primitive = gltf.meshes[gltf.scenes[gltf.scene].nodes[0]].primitives[0]
    assert primitive.mode == 0 and "KHR_gaussian_splatting" in gltf.extensionsUsed
    assert primitive.extensions["KHR_gaussian_splatting"]["colorSpace"] == "srgb_rec709_display"

    def values(name):
        accessor = gltf.accessors[getattr(primitive.attributes, name)]
        view = gltf.bufferViews[accessor.bufferView]
        components = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor.type]
        kind = {5126: "<f4", 5121: "u1"}[accessor.componentType]
        start = (view.byteOffset or 0) + (accessor.byteOffset or 0)
        flat = np.frombuffer(blob, kind, accessor.count * components, start)
        return flat.reshape(accessor.count, components)

    prefix = "KHR_gaussian_splatting:"
    position = values("POSITION")
    near("positions", mean * [-1, -1, 1], position, 0)  # y-up: half a turn about z
    accessor = gltf.accessors[primitive.attributes.POSITION]
    near("bounds", np.array([accessor.min, accessor.max]), np.array([position.min(axis=0), position.max(axis=0)]), 1e-6)
    near("scales", np.exp(scale.astype("f8")), values(prefix + "SCALE"), 1e-6)
    near("opacities", opacity, values(prefix + "OPACITY")[:, 0], 1e-6)
    w, x, y, z = quat.T
    turned = np.stack([-y, x, w, -z], axis=1)  # (0, 0, 0, 1) times it, as x, y, z, w
    theirs = values(prefix + "ROTATION")
    sign = np.where(np.sum(turned * theirs, axis=1, keepdims=True) < 0, -1, 1)
    near("rotations", turned * sign, theirs, 1e-6)
    k = 0
    for degree in range(4):
        for order in range(-degree, degree + 1):
            flip = -1 if order % 2 else 1  # odd orders change sign
            near(f"degree {degree} order {order}", flip * sh[:, k],
                 values(f"{prefix}SH_DEGREE_{degree}_COEF_{order + degree}"), 1e-6)
            k += 1
    near("fallback opacity", opacity * 255, values("COLOR_0")[:, 3], 0.5 + 1e-4)


def check_sog(file, mean, scale, quat, opacity, sh, order_of, unit):
    import io
    import json
    import zipfile

    import numpy as np
    from PIL import Image
    bundle = zipfile.ZipFile(file)
    assert bundle.testzip() is None
    meta = json.loads(bundle.read("meta.json"))
    assert meta["version"] == 2 and meta["count"] == len(mean)

    def pixels(name):
        image = Image.open(io.BytesIO(bundle.read(name)))
        return np.asarray(image.convert("RGBA")).reshape(-1, 4).astype("i8")

    count = meta["count"]
    low, high = (pixels(name)[:count, :3] for name in meta["means"]["files"])
    mins, maxs = np.array(meta["means"]["mins"]), np.array(meta["means"]["maxs"])
    folded = mins + (low + 256 * high) / 65535 * (maxs - mins)
    position = np.sign(folded) * np.expm1(np.abs(folded))
    order = order_of(position)
    assert len(set(order)) == count
    near("positions", np.sign(mean[order]) * np.log1p(np.abs(mean[order])), folded, float((maxs - mins).max()) / 65535)

    def nearest_code(name, values, codebook, codes):
        """Each value has the nearest of 256 codes, and the codes lie where the values are."""
        codebook = np.array(codebook)
        near(name + ", to the nearest code", np.min(np.abs(values[..., None] - codebook), axis=-1),
             np.abs(values - codebook[codes]), 1e-6)
        near(name + ", root mean square", np.zeros(1), np.sqrt([np.mean((values - codebook[codes]) ** 2)]),
             0.015 * float(np.std(values)))

    codes = pixels(meta["scales"]["files"][0])[:count, :3]
    nearest_code("scales", scale[order], meta["scales"]["codebook"], codes)
    colour = pixels(meta["sh0"]["files"][0])[:count]
    nearest_code("colours", sh[order, 0], meta["sh0"]["codebook"], colour[:, :3])
    near("opacities", opacity[order] * 255, colour[:, 3], 0.5 + 1e-4)
    packed = pixels(meta["quats"]["files"][0])[:count]
    parts = (packed[:, :3] / 255 * 2 - 1) / np.sqrt(2)
    largest = packed[:, 3] - 252
    whole = np.zeros((count, 4))
    for i in range(4):
        rows = largest == i
        whole[np.ix_(rows, [k for k in range(4) if k != i])] = parts[rows]
        whole[rows, i] = np.sqrt(np.maximum(0, 1 - np.sum(parts[rows] ** 2, axis=1)))
    sign = np.where(np.sum(whole * quat[order], axis=1, keepdims=True) < 0, -1, 1)
    near("rotations", quat[order], sign * whole, 0.006)
    labels = pixels(meta["shN"]["files"][1])[:count]
    centroids = pixels(meta["shN"]["files"][0])[:, :3].reshape(-1, 15, 3)
    nearest_code("harmonics", sh[order, 1:], meta["shN"]["codebook"],  # as many sets as splats: only the codebook rounds
                 centroids[labels[:, 0] + 256 * labels[:, 1]])

if __name__ == "__main__":
    if sys.argv[-1] != "inside":
        enter_venv(sys.argv[2], PACKAGES)
    main(sys.argv[1])
    print("all agree")
