// A made-up scene all around its cameras, photographed as equirectangular panoramas and written to a folder as a COLMAP
// text model. The panoramas are put together from pictures of the CPU backend, far finer than what is cut out of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "splat/model/camera.h"
#include "splat/model/gaussians.h"
#include "tests/support/temp_folder.h"

namespace app::test {

class PanoramaScene {
 public:
  static constexpr int kPhotos = 10, kWidth = 512, kHeight = 256;  // px

  PanoramaScene();

  std::string dataset() const { return (folder_.path() / "scene").string(); }
  std::filesystem::path output(const std::string& name) const { return folder_.path() / name; }
  void write(const std::string& name, std::string_view bytes) const { folder_.write("scene/" + name, bytes); }
  const splat::Gaussians& truth() const { return truth_; }

  static std::string photo_name(int index) { return "photo_" + std::to_string(100 + index) + ".png"; }

 private:
  splat::test::TempFolder folder_;
  splat::Gaussians truth_;
};

}  // namespace app::test
