#include "app/jobs/input/known_up.h"

#include <algorithm>
#include <cmath>

#include "app/jobs/input/run_folder.h"
#include "splat/math/activation.h"
#include "splat/model/pixel.h"
#include "viewer/camera/up_axis.h"

namespace app {

namespace fs = std::filesystem;

namespace {

constexpr size_t kMost = 500;       // of splats and of cameras that are looked at
constexpr double kFairPart = 0.05;  // of the splats' opacity
constexpr double kDot = 0.01;       // of the picture's diagonal: what is seen within that is a dot

size_t step_through(size_t count) { return std::max<size_t>(1, (count + kMost - 1) / kMost); }

// The share of the splats in a picture, by opacity; 0 where they are a dot in it.
double share_in(const splat::View& view, const splat::Gaussians& model) {
  double all = 0, seen = 0, low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
  for (size_t row = 0; row < model.size(); row += step_through(model.size())) {
    const float* mean = model.means.data() + 3 * row;
    const double opacity = splat::math::sigmoid(double(model.logit_opacities[row]));
    if (!std::isfinite(opacity + double(mean[0]) + double(mean[1]) + double(mean[2]))) continue;
    all += opacity;
    const auto pixel = splat::pixel_of(view, {mean[0], mean[1], mean[2]});
    if (!pixel || !splat::is_in_frame(view.camera, *pixel)) continue;
    seen += opacity;
    const double at[2] = {pixel->x, pixel->y};
    for (size_t c = 0; c < 2; ++c) low[c] = std::min(low[c], at[c]), high[c] = std::max(high[c], at[c]);
  }
  const double spread = std::hypot(high[0] - low[0], high[1] - low[1]);
  const bool one = model.size() == 1;  // it has no spread
  return seen > 0 && (one || spread > kDot * std::hypot(view.camera.width, view.camera.height)) ? seen / all : 0;
}

bool fit(const std::vector<io::NamedView>& views, const splat::Gaussians& model) {
  if (model.size() == 0) return true;
  for (size_t i = 0; i < views.size(); i += step_through(views.size()))
    if (share_in(views[i].view, model) >= kFairPart) return true;
  return false;
}

}  // namespace

RunCameras run_cameras_of(const fs::path& file, const splat::Gaussians& model) {
  RunCameras cameras;
  const fs::path run = run_folder_of(file);
  if (run.empty()) return cameras;
  auto views = io::read_cameras_json(run / "cameras.json");
  if (!views) {
    cameras.warning = views.error().message;
    return cameras;
  }
  if (!fit(*views, model)) {
    cameras.warning = "the cameras beside the file ('" + (run / "cameras.json").string() +
                      "') do not fit it, as none of them sees a fair part of the splats: nothing in that folder is "
                      "taken to belong to it";
    return cameras;
  }
  cameras.folder = run;
  cameras.views = std::move(*views);
  std::stable_sort(cameras.views.begin(), cameras.views.end(),
                   [](const io::NamedView& a, const io::NamedView& b) { return a.name < b.name; });
  return cameras;
}

std::optional<KnownUp> known_up(const io::SplatFile& file, const fs::path& path) {
  if (file.view_up)
    return KnownUp{*file.view_up, file.generator.empty() ? "the file" : file.generator + "'s convention"};
  const RunCameras run = run_cameras_of(path, file.gaussians);
  std::vector<viewer::PhotoCamera> cameras;
  for (const io::NamedView& view : run.views) cameras.push_back({view.name, view.view, false, false});
  const auto up = viewer::up_of_cameras(cameras);
  if (!up) return std::nullopt;
  return KnownUp{viewer::array3(*up), "'" + (run.folder / "cameras.json").string() + "'"};
}

}  // namespace app
