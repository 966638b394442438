// Two training iterations of the scene that figures are measured on (splat/bench), on the plugin's machine code:
// iterations SPLATS WIDTH HEIGHT [ordered]. The first learns counts and takes memory, the second is as all that follow.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "devices/registry.h"
#include "splat/bench/bench_scene.h"

namespace splat {
namespace {

int run(const bench::SceneSize& size, bool ordered) {
  auto made = make_backend("hip", -1, 1, ordered);
  if (!made) {
    std::fprintf(stderr, "%s\n", made.error().message.c_str());
    return 1;
  }
  Backend& backend = *made->backend;
  const bench::Scene scene = bench::make_scene(size);
  backend.upload(scene.model);
  AdamSettings adam;
  for (adam.iteration = 1; adam.iteration <= 2; ++adam.iteration) {
    backend.forward(scene.view, {});
    backend.loss(scene.target, {.late = true, .photo = 1});
    backend.backward();
    backend.update(adam);
  }
  backend.wait();
  return 0;
}

}  // namespace
}  // namespace splat

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: iterations SPLATS WIDTH HEIGHT [ordered]\n");
    return 2;
  }
  return splat::run({size_t(std::atol(argv[1])), std::atoi(argv[2]), std::atoi(argv[3])},
                    argc > 4 && std::strcmp(argv[4], "ordered") == 0);
}
