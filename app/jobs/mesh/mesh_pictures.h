// What the views that a mesh is made of show: depths of the splats, colours of the photos and of the splats.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/depth_map.h"
#include "splat/backend/backend.h"
#include "splat/model/camera.h"
#include "splat/model/image.h"

namespace app {

class MeshPictures {
 public:
  // photos: may be null. The backend holds the splats.
  MeshPictures(splat::Backend& backend, const splat::RenderSettings& look, splat::ImageSource* photos)
      : backend_(backend), look_(look), photos_(photos) {}

  // The median depth of the view of `map`; mesh::kNothing where the photo (its index; -1: none) is known to be empty,
  // or where no splat is.
  void read_depth(int photo, mesh::DepthMap& map);

  // As the photo shows it, else as the splats look, their share of the colour alone; where neither shows anything the
  // nearest colour.
  splat::ImageF colours(const splat::View& view, int photo);

  // Which pixels of the photo show something [H,W]; empty: all.
  std::vector<uint8_t> shown(int photo);

  const std::string& problem() const { return problem_; }  // the first of reading photos; empty: none

 private:
  const splat::TrainingImage* photo(int index);
  void take_photo(const splat::TrainingImage& photo);
  void add_splats(const splat::View& view);

  splat::Backend& backend_;
  const splat::RenderSettings& look_;
  splat::ImageSource* photos_;
  std::string problem_;
  splat::ImageF image_, drawn_;
  std::vector<float> transmittance_;
  std::vector<uint8_t> known_;  // of image_
};

}  // namespace app
