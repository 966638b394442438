// Writes a scene of splat/bench for other programs, so that they are timed on the same splats: a text header, then
// float32 little endian means[N,3] log_scales[N,3] quats[N,4] logit_opacities[N] sh[N,16,3], then the target, 8 bits
// [3,H,W].
//   export_scene N@WxH FILE
#include <cstdio>
#include <fstream>
#include <vector>

#include "splat/bench/bench_scene.h"

namespace {

template <class T>
void write(std::ofstream& file, const std::vector<T>& values) {
  file.write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size() * sizeof(T)));
}

}  // namespace

int main(int count, char** words) {
  splat::bench::SceneSize size;
  if (count != 3 || std::sscanf(words[1], "%zu@%dx%d", &size.splats, &size.width, &size.height) != 3) {
    std::fprintf(stderr, "usage: export_scene N@WxH FILE\n");
    return 2;
  }
  const splat::bench::Scene scene = splat::bench::make_scene(size);
  const splat::PinholeCamera& camera = scene.view.camera;
  std::ofstream file(words[2], std::ios::binary);
  file << "splats " << size.splats << "\nsize " << size.width << ' ' << size.height << "\nfocal " << camera.fx << ' '
       << camera.fy << "\ncentre " << camera.cx << ' ' << camera.cy << "\nrotation";
  for (float value : scene.view.cam_from_world.rotation) file << ' ' << value;
  file << "\ntranslation";
  for (float value : scene.view.cam_from_world.translation) file << ' ' << value;
  file << "\nend\n";
  write(file, scene.model.means);
  write(file, scene.model.log_scales);
  write(file, scene.model.quats);
  write(file, scene.model.logit_opacities);
  write(file, scene.model.sh);
  write(file, scene.target.rgb);
  file.close();
  return file ? 0 : 1;
}
