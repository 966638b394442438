#include <string>

#include "splat/raster/raster.h"

namespace splat::raster {
namespace {

constexpr int kMostPixels = 1 << 15;  // of a side
constexpr int kMaxShDegree = 3, kMostCoefficients = 16;

Status check_settings(const Settings& s) {
  if (s.width < 1 || s.height < 1 || s.width > kMostPixels || s.height > kMostPixels)
    return Error{"width and height must lie between 1 and " + std::to_string(kMostPixels) + ", not " +
                 std::to_string(s.width) + " x " + std::to_string(s.height)};
  if (!(s.low_pass >= 0)) return Error{"low_pass must not be negative"};
  if (!(s.near_plane > 0 && s.far_plane >= s.near_plane))
    return Error{"near_plane must be above 0, and far_plane not below it"};
  if (!(s.scale_modifier >= 0)) return Error{"scale_modifier must not be negative"};
  if (!(s.alpha_max > 0 && s.alpha_max < 1)) return Error{"alpha_max must lie between 0 and 1"};
  if (!(s.transmittance_stop > 0 && s.transmittance_stop < 1))
    return Error{"transmittance_stop must lie between 0 and 1"};
  return {};
}

template <class T>
Status check_colours(const Scene<T>& scene) {
  if (scene.channels < 0 || scene.channels > kMaxChannels)
    return Error{"channels must lie between 0 and " + std::to_string(kMaxChannels) + ", not " +
                 std::to_string(scene.channels)};
  if (scene.sh && scene.colours) return Error{"sh and colours cannot both be given"};
  if (!scene.sh && !scene.colours && scene.channels > 0 && scene.splats > 0)
    return Error{"either sh or colours must be given"};
  if (!scene.sh) return {};
  if (scene.channels != 3) return Error{"channels must be 3 with sh, not " + std::to_string(scene.channels)};
  const int degree = scene.sh_degree;
  if (degree < 0 || degree > kMaxShDegree)
    return Error{"sh_degree must lie between 0 and 3, not " + std::to_string(degree)};
  if (scene.sh_coefficients > kMostCoefficients)
    return Error{"sh_coefficients must be at most 16, not " + std::to_string(scene.sh_coefficients)};
  if (scene.sh_coefficients < (degree + 1) * (degree + 1))
    return Error{"sh_coefficients is " + std::to_string(scene.sh_coefficients) + ", which is too few for sh_degree " +
                 std::to_string(degree)};
  return {};
}

template <class T>
Status check_geometry(const Scene<T>& scene) {
  if (scene.splats == 0) return {};
  if (scene.splats >= size_t(1) << 31) return Error{"splats must be fewer than 2^31"};
  if (!scene.means || !scene.opacities) return Error{"means and opacities must be given"};
  if (scene.covariances && (scene.quats || scene.scales))
    return Error{"covariances cannot be given beside quats and scales"};
  if (!scene.covariances && !(scene.quats && scene.scales))
    return Error{"either quats and scales or covariances must be given"};
  return {};
}

}  // namespace

template <class T>
Status check(const Call<T>& call) {
  SPLAT_TRY(check_settings(call.settings));
  SPLAT_TRY(check_geometry(call.scene));
  SPLAT_TRY(check_colours(call.scene));
  if (call.pictures.depth && call.settings.depth == Depth::kNone) return Error{"depth is wanted, but its kind is none"};
  for (const Camera& camera : call.cameras)
    if (!(camera.fx > 0 && camera.fy > 0)) return Error{"fx and fy of every camera must be above 0"};
  return {};
}
template Status check(const Call<float>& call);
template Status check(const Call<double>& call);

}  // namespace splat::raster
