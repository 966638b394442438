"""The meshes that hipsplat writes, read by programs that are not ours: trimesh and Pillow, pygltflib for the rules of
glTF, and Blender where it is installed.

usage: mesh_formats_test.py FOLDER VENV | mesh_formats_test.py --blender FOLDER
FOLDER has what independent_meshes made. Exit code 77 says 'skipped'.
"""
import os
import shutil
import subprocess
import sys

from package_venv import SKIPPED, enter_venv

PACKAGES = ["trimesh==4.4.9", "pygltflib==1.16.5", "pillow==13.0.0"]
ROWS, COLUMNS = 48, 96
FACES = 2 * COLUMNS * (ROWS - 1)
VERTICES = 2 + COLUMNS * (ROWS - 1)

# Blender 3.4 uses names that NumPy 1.24, which Debian 12 has beside it, has dropped.
IN_BLENDER = """
import bpy, sys
import numpy
for kind in (bool, int, float, object):
    if kind.__name__ not in vars(numpy):
        setattr(numpy, kind.__name__, kind)
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=sys.argv[-1])
mesh = [o for o in bpy.context.scene.objects if o.type == 'MESH'][0]
image = bpy.data.images[0]
print('read by Blender:', len(mesh.data.polygons), 'faces,', image.size[0], 'x', image.size[1], 'texels,',
      len(mesh.data.uv_layers), 'uv,', round(max((mesh.matrix_world @ v.co).z for v in mesh.data.vertices), 3), 'high')
"""


def paint(points):
    import numpy as np
    return 0.5 + 0.4 * np.sin(6 * points + np.array([0, 1, 2]))


def check_globe(name, mesh, faces=FACES):
    import numpy as np
    assert len(mesh.faces) == faces, f"{name}: {len(mesh.faces)} faces"
    radius = np.linalg.norm(mesh.vertices, axis=1)
    assert np.abs(radius - 1).max() < 1e-5, name
    assert np.sum(mesh.face_normals * mesh.triangles_center, axis=1).min() > 0.99, f"{name}: faces look inwards"
    whole = mesh.copy()
    whole.merge_vertices(merge_tex=True, merge_norm=True)
    assert len(whole.vertices) == VERTICES, f"{name}: {len(whole.vertices)} vertices"
    assert whole.is_watertight and whole.is_winding_consistent, f"{name} is not closed"
    assert abs(whole.volume / (4 / 3 * np.pi) - 1) < 0.01, f"{name}: volume {whole.volume}"


def check_texture(name, mesh, picture):
    """In the middle of each face the texture shows the paint. trimesh counts v upwards."""
    import numpy as np
    texels = np.asarray(picture.convert("RGB")).astype("f8") / 255
    uv = mesh.visual.uv[mesh.faces].mean(axis=1)
    assert uv.min() > 0 and uv.max() < 1, name
    height, width = texels.shape[:2]
    seen = texels[((1 - uv[:, 1]) * height).astype(int), (uv[:, 0] * width).astype(int)]
    off = seen - paint(mesh.vertices[mesh.faces].mean(axis=1))
    psnr = -10 * np.log10(np.mean(off ** 2))
    print(f"  {name}: {width} x {height} texels, {psnr:.1f} dB")
    assert psnr > 33, name


def check_rules(path):
    """What glTF 2.0 asks of buffers, accessors and materials, by pygltflib's reading."""
    import numpy as np
    import pygltflib
    gltf = pygltflib.GLTF2().load(path)
    blob = gltf.binary_blob()
    assert gltf.asset.version == "2.0"
    assert gltf.buffers[0].byteLength <= len(blob) <= gltf.buffers[0].byteLength + 3
    end = 0
    for view in gltf.bufferViews:
        assert view.byteOffset % 4 == 0 and view.byteOffset >= end
        end = view.byteOffset + view.byteLength
    assert end <= len(blob)
    kinds = {5126: np.dtype("<f4"), 5125: np.dtype("<u4")}
    widths = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}

    def values(index):
        accessor = gltf.accessors[index]
        view = gltf.bufferViews[accessor.bufferView]
        kind, width = kinds[accessor.componentType], widths[accessor.type]
        assert accessor.count * width * kind.itemsize == view.byteLength
        return np.frombuffer(blob, kind, accessor.count * width, view.byteOffset).reshape(-1, width), accessor, view

    primitive = gltf.meshes[0].primitives[0]
    positions, accessor, view = values(primitive.attributes.POSITION)
    assert view.target == 34962
    assert np.array_equal(np.asarray(accessor.min, "f4"), positions.min(axis=0))
    assert np.array_equal(np.asarray(accessor.max, "f4"), positions.max(axis=0))
    normals, _, _ = values(primitive.attributes.NORMAL)
    assert np.abs(np.linalg.norm(normals, axis=1) - 1).max() < 1e-4
    assert np.sum(normals * positions, axis=1).min() > 0.99
    indices, _, view = values(primitive.indices)
    assert view.target == 34963 and indices.max() < len(positions) and len(indices) % 3 == 0
    material = gltf.materials[primitive.material]
    assert set(gltf.extensionsUsed or []) == set(material.extensions or {})
    used = material.pbrMetallicRoughness.baseColorTexture
    if used is None:
        colours, _, _ = values(primitive.attributes.COLOR_0)
        assert 0 <= colours.min() and colours.max() <= 1
        return
    uvs, _, _ = values(primitive.attributes.TEXCOORD_0)
    assert len(uvs) == len(positions) and primitive.attributes.COLOR_0 is None
    image = gltf.images[gltf.textures[used.index].source]
    view = gltf.bufferViews[image.bufferView]
    assert image.mimeType == "image/jpeg" and view.target is None
    assert blob[view.byteOffset:view.byteOffset + 3] == b"\xff\xd8\xff"
    assert gltf.samplers[gltf.textures[used.index].sampler].wrapS == 33071


def main(folder):
    import trimesh

    def path(name):
        return os.path.join(folder, name)

    for name in ("globe.glb", "coloured.glb"):
        check_rules(path(name))
        print(f"  {name}: keeps the rules")
    globe = trimesh.load(path("globe.glb"), force="mesh", process=False)
    check_globe("globe.glb", globe)
    check_texture("globe.glb", globe, globe.visual.material.baseColorTexture)
    globe = trimesh.load(path("globe.obj"), force="mesh", process=False)
    check_globe("globe.obj", globe)
    check_texture("globe.obj", globe, globe.visual.material.image)
    for name in ("coloured.glb", "coloured.ply"):
        check_globe(name, trimesh.load(path(name), force="mesh", process=False))


def in_blender(folder):
    program = shutil.which("blender")
    if not program:
        print("skipped: Blender is not installed")
        sys.exit(SKIPPED)
    # Its Python takes the modules of the first python3 in the path: that must be the one it was built with.
    path = os.path.dirname(os.path.realpath(program)) + os.pathsep + os.environ.get("PATH", "")
    ran = subprocess.run([program, "--background", "--factory-startup", "--python-expr", IN_BLENDER, "--",
                          os.path.join(folder, "globe.glb")], capture_output=True, text=True, timeout=240,
                         env={**os.environ, "PATH": path})
    print(ran.stdout)
    if "No module named 'numpy'" in ran.stderr:
        print("skipped: Blender's reader of glTF needs numpy (python3-numpy), which is not installed")
        sys.exit(SKIPPED)
    assert f"read by Blender: {FACES} faces, 1024 x 1024 texels, 1 uv, 1.0 high" in ran.stdout, ran.stderr


if __name__ == "__main__":
    if sys.argv[1] == "--blender":
        in_blender(sys.argv[2])
    elif sys.argv[-1] != "inside":
        enter_venv(sys.argv[2], PACKAGES)
    else:
        main(sys.argv[1])
    print("all agree")
