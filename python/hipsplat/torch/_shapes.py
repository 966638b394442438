"""What every function takes: one table of types and shapes, and the check by it before anything is read of a tensor.

A row says the type, then the shapes, one of which must fit. Sizes are numbers, or letters that stand for one number
each throughout a call; "..." is any batch, the same one throughout a call. Types, where "?" allows None:
float    float32 or float64, as the call's first tensor is
real     any floating point, cast to the first tensor's
float32, int32, bool    that alone
index    whole numbers of any type, also as floating point, made int32; what does not fit there becomes -1
number   any that is not complex, as it is
"""
import torch

from hipsplat._errors import ArgumentError

TABLE = {
    # gsplat
    "rasterization": {
        "means": ("float", "...,N,3"),
        "quats": ("float", "...,N,4"),
        "scales": ("float", "...,N,3"),
        "covars": ("float", "...,N,3,3"),
        "opacities": ("float", "...,N"),
        "colors": ("float", "...,N,D", "...,C,N,D"),
        "colors with sh_degree": ("float", "...,N,K,D", "...,C,N,K,D"),
        "viewmats": ("float", "...,C,4,4"),
        "Ks": ("number", "...,C,3,3"),
        "backgrounds": ("float?", "...,C,D"),
    },
    "spherical_harmonics": {
        "dirs": ("float", "...,3"),
        "coeffs": ("real", "...,K,D", "N,K,D"),
        "masks": ("bool?", "..."),
    },
    "normalized_quat_to_rotmat": {"quat": ("float", "...,4")},
    "quat_scale_to_covar_preci": {"quats": ("float", "...,4"), "scales": ("real", "...,3")},
    "compute_relocation": {
        "opacities": ("float", "N", "N,1"),
        "scales": ("float", "N,3"),
        "ratios": ("number", "N"),
        "binoms": ("real", "M,M"),
    },
    # diff_gaussian_rasterization
    "rasterize_gaussians": {
        "means3D": ("float", "N,3"),
        "means2D": ("number?", "N,3"),
        "shs": ("float?", "N,K,D"),
        "colors_precomp": ("float?", "N,D"),
        "opacities": ("float", "N,1", "N"),
        "scales": ("float?", "N,3"),
        "rotations": ("float?", "N,4"),
        "cov3D_precomp": ("float?", "N,6"),
        "theta": ("real?", "3", "1,3"),
        "rho": ("real?", "3", "1,3"),
        "bg": ("real", "D", "1,D"),
        "viewmatrix": ("real", "4,4"),
        "projmatrix": ("real", "4,4"),
        "subpixel_offset": ("number?", "H,W,2"),
    },
    "markVisible": {"positions": ("float", "N,3"), "viewmatrix": ("real", "4,4")},
    # simple_knn
    "distCUDA2": {"points": ("number", "N,3")},
    # nvdiffrast
    "rasterize": {
        "pos": ("float32", "B,V,4"),
        "pos with ranges": ("float32", "V,4"),
        "tri": ("int32", "T,3"),
        "ranges": ("int32?", "B,2"),
        "rast": ("float32", "B,H,W,4"),
        "the gradient of rast": ("float32?", "B,H,W,4"),
        "the gradient of rast_db": ("float32?", "B,H,W,4"),
    },
    "interpolate": {
        "rast": ("float32", "B,H,W,4"),
        "attr": ("float32", "B,V,A", "1,V,A", "V,A"),
        "tri": ("int32", "T,3"),
        "rast_db": ("float32?", "B,H,W,4"),
        "the gradient of out": ("float32?", "B,H,W,A"),
        "the gradient of out_da": ("float32?", "B,H,W,E"),
    },
    # custom_rasterizer
    "rasterize_image": {
        "V": ("float32", "V,4"),
        "F": ("int32", "T,3"),
        "D": ("float32", "H,W"),
    },
    "rasterize_faces": {"pos": ("float32", "B,V,4")},
    "interpolate_faces": {
        "col": ("real", "B,V,A"),
        "findices": ("index", "..."),
        "barycentric": ("real", "...,3"),
        "tri": ("index", "T,3"),
    },
}

# The most that a letter can stand for.
_MOST = {"N": (1 << 31) - 1, "V": (1 << 31) - 1, "T": (1 << 24) - 1, "C": 1 << 16, "B": 1 << 16, "A": 1 << 16}
_INT32 = (1 << 31) - 1


def plain(tensor):
    """The tensor as its memory holds it: strided without gaps, aligned, nothing left to be negated."""
    if tensor.layout != torch.strided:
        tensor = tensor.to_dense()
    tensor = tensor.resolve_neg().contiguous()
    return tensor if tensor.data_ptr() % tensor.element_size() == 0 else tensor.clone()


def _match(tokens, shape, sizes):
    """The letters that a shape binds, with those that are bound already; None: it does not fit."""
    found = dict(sizes)
    if tokens[0] == "...":
        tokens = tokens[1:]
        front = len(shape) - len(tokens)
        if front < 0 or found.setdefault("...", tuple(shape[:front])) != tuple(shape[:front]):
            return None
        shape = shape[front:]
    if len(shape) != len(tokens):
        return None
    for token, size in zip(tokens, shape):
        if (int(token) if token.isdigit() else found.setdefault(token, size)) != size:
            return None
    return found


def _text(tokens, sizes):
    known = [",".join(map(str, sizes[t])) if t == "..." and t in sizes else str(sizes.get(t, t)) for t in tokens]
    return f"[{','.join(t for t in known if t)}]"


class Shapes:
    """The check of one call's tensors. The first one says which device all are on, and their type. sizes: letters that
    are known already."""

    def __init__(self, function, **sizes):
        self._rows, self.sizes, self._like = TABLE[function], sizes, None

    def __call__(self, given, **rows):
        """given: {name: tensor}. A list of the tensors as plain() memory, or a sentence about one. rows: {name: row},
        where the table has several for a name. All are checked before one is copied."""
        kinds = []
        for name, tensor in given.items():
            kind, *shapes = self._rows[rows.get(name, name)]
            kinds.append(kind.rstrip("?"))
            if tensor is None and kind.endswith("?"):
                continue
            self._check_type(name, tensor, kinds[-1])
            self._check_shape(name, tensor, [s.split(",") for s in shapes])
            self._like = self._like or (name, tensor.dtype, tensor.device)
        return [None if t is None else self._cast(t, kind) for t, kind in zip(given.values(), kinds)]

    def _check_type(self, name, tensor, kind):
        if not isinstance(tensor, torch.Tensor):
            raise TypeError(f"{name} is {type(tensor).__name__}, not a tensor")
        dtype = tensor.dtype
        if kind in ("float32", "int32", "bool"):
            if dtype != getattr(torch, kind):
                what = "triangles take" if kind != "bool" else "it should be"
                raise TypeError(f"{name} is {dtype}, but {what} torch.{kind}: use {name}.to(torch.{kind})")
        elif kind == "float":
            if dtype not in (torch.float32, torch.float64):
                raise TypeError(f"{name} is {dtype}: hipsplat draws float32, and float64 on the CPU; use .float()")
            if self._like and dtype != self._like[1]:
                raise TypeError(f"{name} is {dtype}, but {self._like[0]} is {self._like[1]}")
        elif (kind == "real" and not dtype.is_floating_point) or dtype.is_complex or tensor.is_quantized:
            raise TypeError(f"{name} is {dtype}, but should hold {'real' if kind == 'real' else 'plain'} numbers")
        if tensor.device.type not in ("cpu", "cuda"):
            raise NotImplementedError(f"{name} is on {tensor.device}: hipsplat takes tensors of cpu and cuda")
        if self._like and tensor.device != self._like[2]:
            raise ArgumentError(f"{name} is on {tensor.device}, but {self._like[0]} on {self._like[2]}")

    def _check_shape(self, name, tensor, alternatives):
        for tokens in alternatives:
            found = _match(tokens, tensor.shape, self.sizes)
            if found is not None:
                break
        else:
            wanted = " or ".join(dict.fromkeys(_text(tokens, self.sizes) for tokens in alternatives))
            raise ArgumentError(f"{name} is {list(tensor.shape)}, but should be {wanted}")
        for letter, most in _MOST.items():
            if letter in found and letter not in self.sizes and found[letter] > most:
                raise ArgumentError(f"{name} is {list(tensor.shape)}, where {most} is the most that {letter} can be in "
                                    f"{_text(tokens, self.sizes)}")
        self.sizes = found

    def _cast(self, tensor, kind):
        if kind == "real":
            tensor = tensor.to(self._like[1])
        if kind == "index" and tensor.dtype != torch.int32:
            fits = (tensor >= 0) & (tensor < _INT32)  # False of NaN
            tensor = torch.where(fits, tensor, torch.full_like(tensor, 0)).to(torch.int32) - (~fits).to(torch.int32)
        return plain(tensor)
