// Writes splats and views for other programs (time_gsplat.py), so that they are judged on the same:
//   export_scene N@WxH FILE                            a scene of splat/bench, and hipsplat's picture of it
//   export_scene --trained SPLATS DATASET R FILE       a splat file and the held-out views of its dataset at -r R
// A text header (splats N, coefficients K, antialiased 0 or 1, one `view` a line: width height fx fy cx cy rotation[9]
// translation[3]), then float32 little endian means[N,3] log_scales[N,3] quats[N,4] logit_opacities[N] sh[N,K,3], then
// by view the photo, 8 bits [3,H,W]; of a scene also the picture, float32 [3,H,W]. Masks are not written.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "io/dataset/load_dataset.h"
#include "io/dataset/training_image.h"
#include "io/io.h"
#include "splat/backend/cpu/cpu_backend.h"
#include "splat/bench/bench_scene.h"

namespace {

int fail(const std::string& sentence) {
  std::fprintf(stderr, "error: %s\n", sentence.c_str());
  return 2;
}

template <class T>
void write(std::ofstream& file, const std::vector<T>& values) {
  file.write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size() * sizeof(T)));
}

void write_splats(std::ofstream& file, const splat::Gaussians& model, const std::vector<splat::View>& views,
                  bool antialiased) {
  file.precision(17);
  file << "splats " << model.size() << "\ncoefficients " << model.coefficients() << "\nantialiased " << antialiased
       << '\n';
  for (const splat::View& view : views) {
    const splat::PinholeCamera& c = view.camera;
    file << "view " << c.width << ' ' << c.height << ' ' << c.fx << ' ' << c.fy << ' ' << c.cx << ' ' << c.cy;
    for (double value : view.cam_from_world.rotation) file << ' ' << value;
    for (double value : view.cam_from_world.translation) file << ' ' << value;
    file << '\n';
  }
  file << "end\n";
  write(file, model.means);
  write(file, model.log_scales);
  write(file, model.quats);
  write(file, model.logit_opacities);
  write(file, model.sh);
}

int export_bench(const std::string& name, const std::string& path) {
  splat::bench::SceneSize size;
  if (std::sscanf(name.c_str(), "%zu@%dx%d", &size.splats, &size.width, &size.height) != 3)
    return fail("a scene is named N@WxH, not '" + name + "'");
  const splat::bench::Scene scene = splat::bench::make_scene(size);
  auto cpu = splat::make_cpu_backend({});
  if (!cpu) return fail(cpu.error().message);
  splat::ImageF picture;
  (*cpu)->upload(scene.model);
  (*cpu)->forward(scene.view, {});
  (*cpu)->read_image(picture);
  std::ofstream file(path, std::ios::binary);
  write_splats(file, scene.model, {scene.view}, false);
  write(file, scene.target.rgb);
  write(file, picture.rgb);
  file.close();
  return file ? 0 : fail("'" + path + "' could not be written");
}

int export_trained(const std::string& splats, const std::string& data, int resolution, const std::string& path) {
  const auto model = io::read_splat_file(splats);
  if (!model) return fail(model.error().message);
  io::DatasetOptions options;
  options.resolution = resolution;
  options.eval = true;
  const auto dataset = io::load_dataset(data, options);
  if (!dataset) return fail(dataset.error().message);
  std::vector<splat::View> views;
  for (int i : dataset->held_out_views()) views.push_back(dataset->views[size_t(i)].view());
  std::ofstream file(path, std::ios::binary);
  write_splats(file, model->gaussians, views, model->antialiased);
  for (int i : dataset->held_out_views()) {
    const auto photo = io::load_training_image(dataset->views[size_t(i)]);
    if (!photo) return fail(photo.error().message);
    write(file, photo->rgb);
  }
  file.close();
  return file ? 0 : fail("'" + path + "' could not be written");
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> given(words + 1, words + count);
  if (given.size() == 2) return export_bench(given[0], given[1]);
  if (given.size() == 5 && given[0] == "--trained")
    return export_trained(given[1], given[2], std::atoi(given[3].c_str()), given[4]);
  return fail("export_scene N@WxH FILE, or export_scene --trained SPLATS DATASET R FILE");
}
