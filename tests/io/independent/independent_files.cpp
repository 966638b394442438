// Writes one model in every format for other programs to read: model.ply and so on, and expected.bin, its rows as plain
// floats (mean, log scale, quaternion, logit opacity, spherical harmonics [16,3]). Usage: independent_files FOLDER
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "io/io.h"
#include "tests/io/splats/ply/golden_ply.h"

namespace {

splat::Gaussians model_for_everyone() {
  splat::Gaussians model = io::test::random_model(700, 3, 11);
  for (float& value : model.log_scales) value -= 3;
  for (float& value : model.sh) value *= 0.3f;  // within what the tightest format keeps
  return model;
}

void write_plainly(const splat::Gaussians& model, const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary);
  const auto put = [&](const std::vector<float>& values, size_t row, size_t width) {
    file.write(reinterpret_cast<const char*>(values.data() + row * width), std::streamsize(width * sizeof(float)));
  };
  for (size_t row = 0; row < model.size(); ++row) {
    put(model.means, row, 3);
    put(model.log_scales, row, 3);
    put(model.quats, row, 4);
    put(model.logit_opacities, row, 1);
    put(model.sh, row, 48);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  const splat::Gaussians model = model_for_everyone();
  write_plainly(model, folder / "expected.bin");
  for (const char* name :
       {"model.ply", "model.compressed.ply", "model.splat", "model.v3.spz", "model.v4.spz", "model.sog", "model.glb"}) {
    const int version = std::string_view(name) == "model.v3.spz" ? 3 : 4;
    const auto report = io::write_splat_file(folder / name, model, {}, {.spz_version = version});
    if (report) continue;
    std::fprintf(stderr, "%s\n", report.error().message.c_str());
    return 1;
  }
}
