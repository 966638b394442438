// Rasterisation of splats that lie in arrays of others, forward and backward: what a program's own training loop calls.
// Nothing here owns a model or steps it (backend.h does). Formulas: splat/math, as for training. Implementations:
// reference_rasteriser.h (double arrays, or float ones computed in double), cpu_rasteriser.h (float), beside the
// backends. Arrays are contiguous, in the memory of the device that draws; N splats, C cameras, D channels, K SH
// coefficients, H x W pixels. World frame: any; cameras look along +z, x right, y down; pixel (0,0)'s centre lies at
// (0.5, 0.5). What is not drawn gets zeros in every output and zero gradients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "splat/core/lender.h"
#include "splat/core/result.h"

namespace splat::raster {

inline constexpr int kMaxChannels = 32;

template <class T>
struct Scene {
  size_t splats = 0;
  const T* means = nullptr;        // [N,3] world
  const T* quats = nullptr;        // [N,4] wxyz, any length: Settings::raw_quats
  const T* scales = nullptr;       // [N,3] one standard deviation, world units
  const T* covariances = nullptr;  // [N,6] xx xy xz yy yz zz, in place of quats and scales
  const T* opacities = nullptr;    // [N] 0 to 1
  const T* sh = nullptr;           // [N,K,3], or colours
  int sh_coefficients = 0;         // K, at most 16
  int sh_degree = 0;               // used: (degree + 1)^2 <= K, at most 3
  const T* colours = nullptr;      // [N,D], or [C,N,D] with colours_by_camera; null with sh, or where D is 0
  bool colours_by_camera = false;
  int channels = 3;  // D, 0 to 32; 3 with sh
};

// Pinhole, px.
struct Camera {
  double cam_from_world[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};  // rows of [R|t]
  double fx = 1, fy = 1, cx = 0, cy = 0;
};

// What multiplies the opacity for the low pass; det0 and det1 of the 2D covariance before and after it.
enum class Compensation {
  kNone,
  kGsplat,  // sqrt(max(0, det0 / det1))
  kMip,     // sqrt(max(1e-6, det0) / (max(1e-6, det1) + 1e-6) + 1e-6), 0 where either is at most 1e-6
  kInria,   // sqrt(max(2.5e-5, det0 / det1))
};
enum class Depth {
  kNone,
  kSum,       // sum of w z
  kExpected,  // sum of w z / max(alpha, 1e-10)
  kInverse,   // sum of w / z
};
enum class JacobianClamp {
  kGsplat,  // 0.15 of the size beyond the border
  kInria,   // 1.3 tan(fov / 2) about the axis
};
enum class Footprint {
  kExact,       // wherever alpha is at least 1/255
  kThreeSigma,  // of that, the tiles of 16 x 16 px that a square of the radius about the centre meets, as INRIA's code
};

struct Settings {
  int width = 0, height = 0;                   // px
  double low_pass = 0.3;                       // px^2
  double near_plane = 0.01, far_plane = 1e10;  // drawn: near <= z <= far
  double radius_clip = 0;                      // px: splats whose radii are both at most this are not drawn
  double scale_modifier = 1;                   // of scales, not of covariances
  double alpha_max = 0.99;                     // gsplat: 0.999
  double transmittance_stop = 1e-4;
  bool raw_quats = false;  // the rotation's formula on the quaternion as it is (INRIA), else on the normalised one
  Compensation compensation = Compensation::kNone;
  Depth depth = Depth::kNone;  // of Pictures::depth
  JacobianClamp jacobian_clamp = JacobianClamp::kGsplat;
  Footprint footprint = Footprint::kExact;
  bool channels_first = false;  // colour [C,D,H,W], else [C,H,W,D]; its gradient likewise
  bool clamp_sh = true;         // max(0, 1/2 + sum), else without the maximum
};

// Outputs; null: not wanted.
template <class T>
struct Pictures {
  T* colour = nullptr;  // background included
  T* alpha = nullptr;   // [C,H,W]
  T* depth = nullptr;   // [C,H,W]
  // By camera and splat.
  T* means2d = nullptr;        // [C,N,2] px
  T* depths = nullptr;         // [C,N] z
  T* conics = nullptr;         // [C,N,3] xx xy yy of the inverse of the 2D covariance
  T* compensations = nullptr;  // [C,N]; 1 without compensation
  // [C,N,2] px. Exact: ceil(min(3.33, sqrt(2 ln(255 opacity))) sqrt(xx)), likewise yy, of what is drawn. Three sigma:
  // twice ceil(3 sqrt(m + sqrt(max(0.1, m^2 - det1)))), m half of xx + yy, of all whose square meets the picture, also
  // of what is too transparent to be drawn, as INRIA's code.
  int32_t* radii = nullptr;
  int32_t* touched = nullptr;  // [C,N] pixels behind the splat at which more than half of the light is left (MonoGS)
};

template <class T>
struct PictureGradients {  // as Pictures; null: 0
  const T* colour = nullptr;
  const T* alpha = nullptr;
  const T* depth = nullptr;
};
template <class T>
struct ScreenGradients {     // out; null: not wanted
  T* means2d = nullptr;      // [C,N,2] 1/px
  T* means2d_abs = nullptr;  // [C,N,2] sums over pixels of absolute values
};
template <class T>
struct SceneGradients {  // out, overwritten, summed over the cameras; null: not wanted
  T* means = nullptr;
  T* quats = nullptr;
  T* scales = nullptr;
  T* covariances = nullptr;  // by the stored entries: xy counts for both of its places
  T* opacities = nullptr;
  T* sh = nullptr;              // [N,K,3], 0 above the degree
  T* colours = nullptr;         // as Scene::colours
  T* cam_from_world = nullptr;  // [C,12] by the entries of [R|t], also through the colours' directions
  T* background = nullptr;      // [C,D]
};

// What a forward call keeps for its backward pass: both halves once, in this order. Dies before its Rasteriser.
template <class T>
class Drawn {
 public:
  virtual ~Drawn() = default;
  // Through blending.
  virtual void backward_pictures(const PictureGradients<T>& in, const ScreenGradients<T>& out) = 0;
  // Through projection and colours. v_means2d [C,N,2] takes the place of what the first half found: callers may have
  // losses of their own by means2d; null: as found.
  virtual void backward_scene(const T* v_means2d, const SceneGradients<T>& out) = 0;
};

template <class T>
struct Call {
  Scene<T> scene;
  std::span<const Camera> cameras;  // the host's memory
  const T* background = nullptr;    // [C,D]; null: black
  Settings settings;
  Pictures<T> pictures;
  bool keep = false;  // for a backward pass
  // Of what the call needs beyond its outputs, and of what is kept; none: the rasteriser's own memory, used again by
  // later calls. Not for the reference.
  Lender lender;
  void* stream = nullptr;  // of a GPU: work goes there, that of the backward pass too; null: the default stream
};

// Whether a call can be carried out: arrays that are missing or too many, sizes, settings. The sentence names a field.
template <class T>
Status check(const Call<T>& call);

// A device that rasterises, one call at a time.
template <class T>
class Rasteriser {
 public:
  virtual ~Rasteriser() = default;
  // Null unless kept. The scene's arrays and the background must stay as they are until the last call of Drawn. The
  // call has passed check(). Throws DeviceError, std::bad_alloc.
  virtual std::unique_ptr<Drawn<T>> forward(const Call<T>& call) = 0;
};

}  // namespace splat::raster
