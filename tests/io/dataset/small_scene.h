// Small COLMAP text scenes in a temporary folder.
#pragma once

#include <string>
#include <vector>

#include "io/image_file.h"
#include "tests/support/pictures.h"
#include "tests/support/temp_folder.h"

namespace splat::test {

class SmallScene {
 public:
  explicit SmallScene(std::vector<std::string> names, const std::string& camera = "PINHOLE 64 48 60 60 32 24")
      : names_(std::move(names)) {
    std::string images, cameras;
    for (size_t i = 0; i < names_.size(); ++i)
      images += std::to_string(i + 1) + " 1 0 0 0 " + std::to_string(i) + " 0 4 1 " + names_[i] + "\n\n";
    write("sparse/0/cameras.txt", "1 " + camera + "\n");
    write("sparse/0/images.txt", images);
    write("sparse/0/points3D.txt", "1 0 0 0 200 100 50 0.5\n2 1 1 1 10 20 30 0.5\n");
  }

  // Every photo of the model as a PNG of this size, all different.
  void write_photos(int width = 64, int height = 48, int channels = 3, const std::string& folder = "images") {
    for (size_t i = 0; i < names_.size(); ++i)
      write_photo(names_[i], wavy_picture(width, height, channels, int(i)), folder);
  }
  void write_photo(const std::string& name, const Image8& image, const std::string& folder = "images") {
    write(folder + "/" + name, io::encode_png(image));
  }
  std::filesystem::path write(const std::string& name, std::string_view bytes) { return folder_.write(name, bytes); }
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  TempFolder folder_;
  std::vector<std::string> names_;
};

inline bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline bool any_mentions(const std::vector<std::string>& texts, const std::string& part) {
  for (const std::string& text : texts)
    if (mentions(text, part)) return true;
  return false;
}

}  // namespace splat::test
