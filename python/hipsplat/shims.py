"""Drop-in modules for programs that import diff_gaussian_rasterization, simple_knn, gsplat or a triangle rasteriser.

    import hipsplat.shims
    hipsplat.shims.install()       # before the program's own imports

Nothing is registered before that call. Where torch sees no GPU, install() also lets programs say "cuda" and mean the
CPU. Variants of diff_gaussian_rasterization are modules here too: hipsplat.shims.inria, .inria_aa, .mip, .ashawkey and
.w_pose.
"""
import importlib.machinery
import importlib.util
import sys
import types

VARIANTS = ("inria", "inria_aa", "mip", "ashawkey", "w_pose")


def _module(name, contents, package=False):
    module = types.ModuleType(name, __doc__)
    module.__spec__ = importlib.machinery.ModuleSpec(name, None)  # importlib.util.find_spec() asks for it
    module.__dict__.update(contents)
    if package:
        module.__path__ = []

    def missing(attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        raise NotImplementedError(f"hipsplat does not offer {name}.{attribute}")
    if package != "quiet":
        module.__getattr__ = missing
    return module


def _rasterizer(variant, name=None):
    from hipsplat.torch import _inria
    if variant not in VARIANTS:
        raise ValueError(f"there is no variant {variant!r} of diff_gaussian_rasterization: {', '.join(VARIANTS)}")
    # Programs try to import what newer versions have (SparseGaussianAdam): that is an ImportError, as before.
    return _module(name or f"hipsplat.shims.{variant}", _inria.module_contents(variant), "quiet")


def __getattr__(name):
    if name in VARIANTS:
        globals()[name] = _rasterizer(name)
        return globals()[name]
    raise AttributeError(name)


def install(diff_gaussian_rasterization="inria"):
    """Registers the modules in sys.modules. diff_gaussian_rasterization: the variant that the program was written for.

    gsplat: where it is installed (pip install gsplat --no-deps: no compiler), its own strategies and exporters stay, and
    draw by hipsplat; elsewhere a module with what hipsplat offers. So are nvdiffrast and Hunyuan3D's custom_rasterizer,
    always.
    """
    import torch
    from hipsplat import torch as ours
    name = "diff_gaussian_rasterization"
    sys.modules[name] = _rasterizer(diff_gaussian_rasterization, name)
    knn = _module("simple_knn", {}, "quiet")
    knn._C = _module("simple_knn._C", {"distCUDA2": ours.distCUDA2})
    sys.modules.update({"simple_knn": knn, "simple_knn._C": knn._C})
    _install_gsplat(ours)
    _install_triangles(ours)
    if not torch.cuda.is_available():
        from hipsplat.torch import _cuda_is_cpu
        _cuda_is_cpu.install()


def _install_triangles(ours):
    def later(name):
        def call(*_, **__):
            raise NotImplementedError(f"hipsplat does not offer nvdiffrast.torch.{name}")
        return call
    names = ("RasterizeCudaContext", "RasterizeGLContext", "interpolate", "rasterize")
    nvdiffrast = _module("nvdiffrast", {}, package=True)
    nvdiffrast.torch = _module("nvdiffrast.torch", {
        **{n: getattr(ours, n) for n in names},  # what follows can be imported, and is refused when it is called
        **{n: later(n) for n in ("DepthPeeler", "antialias", "antialias_construct_topology_hash", "texture",
                                 "texture_construct_mip")}})
    kernel = _module("custom_rasterizer_kernel", {"rasterize_image": ours.rasterize_image})
    hunyuan = _module("custom_rasterizer", {"rasterize": ours.rasterize_faces, "interpolate": ours.interpolate_faces})
    for module in (nvdiffrast, nvdiffrast.torch, kernel, hunyuan):
        sys.modules[module.__name__] = module


_OFFERED = {"": ("rasterization", "spherical_harmonics", "quat_scale_to_covar_preci"), "rendering": ("rasterization",),
            "relocation": ("compute_relocation",), "utils": ("normalized_quat_to_rotmat",)}


def _install_gsplat(ours):
    spec = importlib.util.find_spec("gsplat")
    if spec is None or spec.loader is None:  # not installed; what is registered is ours
        for sub, names in _OFFERED.items():
            name = f"gsplat.{sub}" if sub else "gsplat"
            sys.modules[name] = _module(name, {n: getattr(ours, n) for n in names}, package=not sub)
            if sub:
                setattr(sys.modules["gsplat"], sub, sys.modules[name])
        return
    importlib.import_module("gsplat")
    replaced = {}
    for sub, names in _OFFERED.items():
        module = importlib.import_module(f"gsplat.{sub}" if sub else "gsplat")
        for n in names:
            if n != "normalized_quat_to_rotmat" and hasattr(module, n):
                replaced[id(getattr(module, n))] = getattr(ours, n)
    for name, module in list(sys.modules.items()):
        if name == "gsplat" or name.startswith("gsplat."):
            for n, value in list(vars(module).items()):
                if id(value) in replaced:
                    setattr(module, n, replaced[id(value)])
