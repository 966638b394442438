#include "app/jobs/input/scene_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "splat/core/parallel.h"
#include "splat/model/transform.h"

namespace app {

namespace {

constexpr double kMillimetre = 1e-3;  // where a unit is a metre: what survey coordinates are exact to

// Both known: the splats are made larger or smaller. One known: it is that of both.
void bring_to_scale(const io::SceneFrame& frame, io::SplatFile& file) {
  double& theirs = file.frame.metres_per_unit;
  if (theirs != 0 && frame.metres_per_unit != 0 && theirs != frame.metres_per_unit && !frame.says_something() &&
      !file.frame.says_something()) {
    splat::ThreadPool pool;
    transform(file.gaussians, {theirs / frame.metres_per_unit}, pool);
  }
  if (frame.metres_per_unit != 0) theirs = frame.metres_per_unit;
}

bool same_place(const io::SceneFrame& a, const io::SceneFrame& b) { return a.origin == b.origin && a.epsg == b.epsg; }

}  // namespace

splat::Result<std::string> bring_into_frame(const io::SceneFrame& frame, io::SplatFile& file) {
  bring_to_scale(frame, file);
  if (same_place(file.frame, frame)) return std::string();
  if (!frame.says_something() || !file.frame.says_something()) {
    if (!file.frame.says_something()) file.frame = {frame.origin, frame.epsg, file.frame.metres_per_unit};
    return std::string("not all inputs say where on earth they lie; they are taken to be in the same frame");
  }
  if (frame.epsg != 0 && file.frame.epsg != 0 && frame.epsg != file.frame.epsg)
    return splat::Error{
        fmt::format("its reference system is EPSG {}, that of those before EPSG {}: bring them into "
                    "one first",
                    file.frame.epsg, frame.epsg)};
  std::array<double, 3> shift{};
  double farthest = 0;
  for (size_t k = 0; k < 3; ++k) {
    shift[k] = file.frame.origin[k] - frame.origin[k];
    farthest = std::max(farthest, std::abs(shift[k]));
  }
  std::vector<float>& means = file.gaussians.means;
  for (size_t i = 0; i < means.size(); ++i) means[i] = float(double(means[i]) + shift[i % 3]);
  file.frame = {frame.origin, frame.epsg != 0 ? frame.epsg : file.frame.epsg, file.frame.metres_per_unit};
  const double lost = farthest * double(std::numeric_limits<float>::epsilon());
  if (lost <= kMillimetre) return std::string();
  return fmt::format("it lies {:.3g} units away from those before: its positions are rounded to about {:.2g}", farthest,
                     lost);
}

}  // namespace app
