// One picture of a film, by a backend: the mean of FilmSettings::samples drawings, each at another place within the
// pixel, the time of the shutter and the lens. In values as they are shown, not in light, as splats are blended.
// Where `stopped` says so, draw() ends by splat::Stopped, within a picture too.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "app/jobs/film/film_plan.h"
#include "splat/backend/backend.h"
#include "splat/core/parallel.h"
#include "splat/model/image.h"
#include "splat/path/camera_path.h"

namespace app {

struct FilmPicture {
  int index = 0;                // in the film
  splat::Image8 image;          // RGB, or RGBA with straight alpha
  std::vector<uint16_t> depth;  // [H,W] in FilmPlan::depth_unit, 0: nothing; empty: not asked for
};

class FrameDrawer {
 public:
  // The model is uploaded; one thread owns the backend. All stay where they are.
  FrameDrawer(splat::Backend& backend, const FilmPlan& plan, const FilmSettings& choices,
              const splat::RenderSettings& look, int threads, splat::StopAsked stopped = {});

  FilmPicture draw(int index);

 private:
  using Sum = splat::ImageF;  // [3,H,W] colours, or [4,H,W] with the transmittance
  Sum empty(int width, int height) const;
  splat::CameraPose pose_at(int index, int sample) const;
  double sharp_at(const splat::View& view) const;
  void draw_view(const splat::View& view, int sample);
  void add_view(const splat::View& view, int sample, int left, Sum& sum);
  void add_eyes(const splat::CameraPose& pose, int sample, Sum& sum);
  void add_faces(const splat::Rigid3& pose, int sample, std::array<Sum, 6>& faces);
  Sum all_around(int index);
  Sum mean_of_samples(int index);
  splat::Image8 image_of(const splat::ImageF& picture) const;
  std::vector<uint16_t> depth_of(int index);

  splat::Backend& backend_;
  const FilmPlan& plan_;
  const FilmSettings& choices_;
  splat::StopAsked stopped_;
  splat::RenderSettings look_;
  splat::PathCurve curve_;
  double path_rate_;  // seconds of the path for each second of the film
  int samples_;
  splat::ImageF drawn_;
  std::vector<float> transmittance_;
  splat::ThreadPool pool_;
};

}  // namespace app
