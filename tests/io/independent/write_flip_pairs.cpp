// Writes the pairs of pictures as PNGs and what we say of them, for flip_test.py.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "io/image_file.h"
#include "splat/metrics/flip.h"
#include "tests/splat/metrics/flip_pairs.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  int number = 0;
  for (const auto& pair : splat::test::flip_pairs()) {
    const std::string name = std::to_string(number++);
    for (const auto& [what, picture] : {std::pair("_photo.png", &pair.photo), {"_render.png", &pair.render}})
      if (!(std::ofstream(folder / (name + what), std::ios::binary) << io::encode_png(*picture))) return 1;
    std::printf("%s %.9f %s\n", name.c_str(),
                splat::flip(splat::test::as_render(pair.render), splat::test::as_photo(pair.photo)), pair.name.c_str());
  }
}
