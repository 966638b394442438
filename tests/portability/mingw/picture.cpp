// The same numbers on Windows as on Linux? Compiled for both:
//   picture make SPLATS.ply         the splats of a scene of splat/bench
//   picture draw SPLATS.ply FOLDER  FOLDER/copy.ply, the file written again; and at every SIMD level usable here
//                                   FOLDER/LEVEL.picture, the pixels that the CPU backend draws, and
//                                   FOLDER/LEVEL.model, the splats after one step of training
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "io/splats/ply/ply.h"
#include "splat/backend/cpu/cpu_backend.h"
#include "splat/bench/bench_scene.h"

namespace {

int fail(const std::string& sentence) {
  std::fprintf(stderr, "error: %s\n", sentence.c_str());
  return 2;
}

void write(std::ofstream& file, const std::vector<float>& values) {
  file.write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size() * sizeof(float)));
}

int make(const std::string& path) {
  const auto written = io::write_splat_ply(path, splat::bench::make_scene({20000, 320, 240}).model);
  return written ? 0 : fail(written.error().message);
}

int draw(const std::string& path, const std::string& folder) {
  const auto splats = io::read_splat_ply(path);
  if (!splats) return fail(splats.error().message);
  const auto copied = io::write_splat_ply(folder + "/copy.ply", splats->gaussians);
  if (!copied) return fail(copied.error().message);
  splat::View view;
  view.camera = {320, 240, 300, 300, 160, 120};
  view.cam_from_world.translation = {0.25, -0.125, 0.5};
  splat::TrainingImage photo{320, 240, {}, {}};
  for (uint32_t i = 0; i < 3 * 320 * 240; ++i) photo.rgb.push_back(uint8_t(i * 2654435761u >> 24));
  for (const splat::cpu::SimdLevel level : splat::cpu::usable_simd_levels()) {
    auto cpu = splat::make_cpu_backend({.threads = 2, .level = level});
    if (!cpu) return fail(cpu.error().message);
    splat::Backend& backend = **cpu;
    backend.upload(splats->gaussians);
    backend.forward(view, {});
    splat::ImageF picture;
    backend.read_image(picture);
    const splat::LossValue loss = backend.loss(photo, {});
    backend.backward();
    backend.update({});
    splat::Gaussians trained;
    trained.sh_degree = splats->gaussians.sh_degree;
    trained.resize(backend.size());
    backend.download_rows(0, backend.size(), trained);

    const std::string name = splat::cpu::simd_level_option(level), start = folder + "/" + name;
    std::ofstream pixels(start + ".picture", std::ios::binary), model(start + ".model", std::ios::binary);
    write(pixels, picture.rgb);
    for (const auto* values :
         {&trained.means, &trained.log_scales, &trained.quats, &trained.logit_opacities, &trained.sh})
      write(model, *values);
    pixels.close(), model.close();
    if (!pixels || !model) return fail("'" + start + ".*' could not be written");
    double sum = 0;
    for (const float value : picture.rgb) sum += double(value);
    std::printf("%s: %zu splats, %zu visible, mean %.9f, loss %.9f\n", name.c_str(), backend.size(),
                (*cpu)->timings().visible, sum / double(picture.rgb.size()), loss.total);
    if (sum / double(picture.rgb.size()) < 0.05) return fail("the picture is black");
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> given(words + 1, words + count);
  if (given.size() == 2 && given[0] == "make") return make(given[1]);
  if (given.size() == 3 && given[0] == "draw") return draw(given[1], given[2]);
  return fail("picture make SPLATS.ply, or picture draw SPLATS.ply FOLDER");
}
