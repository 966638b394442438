#include "studio/documents/page_contents.h"

#include "splat/math/quat.h"
#include "studio/documents/trained_scene.h"

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
