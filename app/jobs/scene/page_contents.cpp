#include "app/jobs/scene/page_contents.h"

#include <algorithm>

#include "app/jobs/scene/trained_scene.h"
#include "splat/math/quat.h"

namespace app {

io::PageContents page_contents(const std::filesystem::path& splats, const splat::Gaussians& model, int threads) {
  const TrainedScene trained = trained_scene_of(splats, model, threads);
  io::PageContents page;
  page.background = trained.background;
  for (const viewer::PhotoCamera& camera : trained.cameras) page.views.push_back({camera.name, camera.view});
  return page;
}

std::vector<io::NamedView> page_views(const splat::Dataset& dataset) {
  std::vector<io::NamedView> views;
  for (const splat::DatasetView& view : dataset.views) views.push_back({view.name, view.view()});
  return views;
}

io::PagePath page_path(const splat::CameraPath& path) {
  constexpr double kPosesASecond = 30, kMostPoses = 20000;
  io::PagePath played;
  if (path.keys.empty()) return played;
  const splat::PathCurve curve(path);
  played.end = path.loop == splat::LoopMode::kNone ? io::PathEnd::kOnce : io::PathEnd::kRepeat;
  played.poses_a_second = std::min(kPosesASecond, kMostPoses / std::max(curve.seconds(), 1.0));
  for (const splat::CameraPose& pose : curve.sampled(played.poses_a_second))
    played.poses.push_back({pose.position, pose.world_from_cam, pose.fov_y_deg});
  return played;
}

void move_page(io::PageContents& page, const splat::Similarity& to_from) {
  using splat::math::Mat3;
  const Mat3<double> turn = splat::math::rotation_from_quat(to_from.rotation);
  for (io::NamedView& named : page.views) {
    splat::Rigid3& pose = named.view.cam_from_world;
    const std::array<double, 3> centre = to_from * pose.origin_in_source();
    const std::array<double, 9> before = pose.rotation;
    for (size_t r = 0; r < 3; ++r)
      for (size_t c = 0; c < 3; ++c) {
        pose.rotation[3 * r + c] = 0;
        for (size_t k = 0; k < 3; ++k) pose.rotation[3 * r + c] += before[3 * r + k] * turn.m[c][k];
      }
    for (size_t r = 0; r < 3; ++r) {
      pose.translation[r] = 0;
      for (size_t c = 0; c < 3; ++c) pose.translation[r] -= pose.rotation[3 * r + c] * centre[c];
    }
  }
  for (io::PagePose& pose : page.path.poses) {
    pose.position = to_from * pose.position;
    pose.world_from_cam = (to_from * splat::Similarity{1, pose.world_from_cam, {}}).rotation;
  }
}

}  // namespace app
