// The tiny made-up dataset of the training tests, written to a folder as a COLMAP text model with PNG photos.
#pragma once

#include <filesystem>
#include <string>

#include "tests/support/temp_folder.h"
#include "tests/support/tiny_dataset.h"

namespace app::test {

class SceneOnDisk {
 public:
  explicit SceneOnDisk(const std::string& name = "scene");

  const std::filesystem::path& folder() const { return folder_.path(); }  // holds the dataset and room for outputs
  std::string dataset() const { return (folder_.path() / name_).string(); }
  std::string output(const std::string& name) const { return (folder_.path() / name).string(); }
  void write(const std::string& name, std::string_view bytes) const { folder_.write(name_ + "/" + name, bytes); }
  void write_beside(const std::string& name, std::string_view bytes) const { folder_.write(name, bytes); }

 private:
  splat::test::TempFolder folder_;
  std::string name_;
};

std::string text_of(const std::filesystem::path& path);  // empty when there is no such file

}  // namespace app::test
