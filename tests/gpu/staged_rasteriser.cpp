#include "tests/gpu/staged_rasteriser.h"

#include <dlfcn.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <vector>

#include "devices/plugins.h"

namespace splat::test {
namespace {

// Calls that wait; they throw.
struct DeviceMemory {
  std::function<void*(size_t bytes)> take;
  std::function<void(void*)> drop;
  std::function<void(void*to, const void*from, size_t bytes)> send, fetch;
};

void demand(int status) {
  if (status != 0) throw std::runtime_error("error " + std::to_string(status) + " of the GPU's runtime");
}
template <class Function>
Function* function_of(void* library, const char* name) {
  void* const found = library ? dlsym(library, name) : nullptr;
  if (!found) throw std::runtime_error(std::string(name) + " is not in the GPU's runtime");
  return reinterpret_cast<Function*>(found);
}

DeviceMemory hip_memory(const std::string& runtime) {
  void* const library = dlopen(runtime.c_str(), RTLD_NOW | RTLD_NOLOAD);
  const auto allocate = function_of<int(void**, size_t)>(library, "hipMalloc");
  const auto release = function_of<int(void*)>(library, "hipFree");
  const auto copy = function_of<int(void*, const void*, size_t, int, void*)>(library, "hipMemcpyAsync");
  const auto wait = function_of<int(void*)>(library, "hipStreamSynchronize");
  const auto copy_now = [=](int kind) {
    return [=](void* to, const void* from, size_t bytes) {
      demand(copy(to, from, bytes, kind, nullptr));
      demand(wait(nullptr));
    };
  };
  return {[=](size_t bytes) {
            void* memory = nullptr;
            demand(allocate(&memory, bytes));
            return memory;
          },
          [=](void* memory) { release(memory); }, copy_now(1), copy_now(2)};
}

// The plugin holds its runtime: by the driver, in the context that the runtime has made current.
DeviceMemory cuda_memory() {
  using Address = unsigned long long;
  void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  const auto allocate = function_of<int(Address*, size_t)>(library, "cuMemAlloc_v2");
  const auto release = function_of<int(Address)>(library, "cuMemFree_v2");
  const auto send = function_of<int(Address, const void*, size_t)>(library, "cuMemcpyHtoD_v2");
  const auto fetch = function_of<int(void*, Address, size_t)>(library, "cuMemcpyDtoH_v2");
  return {[=](size_t bytes) {
            Address memory = 0;
            demand(allocate(&memory, bytes));
            return reinterpret_cast<void*>(memory);  // NOLINT(performance-no-int-to-ptr): the driver's way
          },
          [=](void* memory) { release(Address(memory)); },
          [=](void* to, const void* from, size_t bytes) { demand(send(Address(to), from, bytes)); },
          [=](void* to, const void* from, size_t bytes) { demand(fetch(to, Address(from), bytes)); }};
}

// Copies of a call's arrays on the device; null stays null.
class Copies {
 public:
  explicit Copies(const DeviceMemory& memory) : memory_(memory) {}
  ~Copies() {
    for (const Copy& copy : copies_) memory_.drop(copy.device);
  }
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;

  template <class T>
  const T* in(const T* host, size_t count) {
    return take(const_cast<T*>(host), count, false);
  }
  template <class T>
  T* out(T* host, size_t count) {
    return take(host, count, true);
  }
  void fetch() const {
    for (const Copy& copy : copies_)
      if (copy.is_result && copy.bytes) memory_.fetch(copy.host, copy.device, copy.bytes);
  }

 private:
  struct Copy {
    void *host, *device;
    size_t bytes;
    bool is_result;
  };
  template <class T>
  T* take(T* host, size_t count, bool is_result) {
    if (!host) return nullptr;
    const size_t bytes = count * sizeof(T);
    copies_.push_back({host, memory_.take(std::max<size_t>(bytes, 1)), bytes, is_result});
    if (bytes) memory_.send(copies_.back().device, host, bytes);  // results too: what is not written must show
    return static_cast<T*>(copies_.back().device);
  }

  const DeviceMemory& memory_;
  std::vector<Copy> copies_;
};

// Counts of values in a call's arrays.
struct Counts {
  size_t n, rows, pixels, channels, cameras, sh, colours;
  explicit Counts(const raster::Call<float>& call)
      : n(call.scene.splats),
        rows(n * call.cameras.size()),
        pixels(size_t(call.settings.width) * size_t(call.settings.height) * call.cameras.size()),
        channels(size_t(call.scene.channels)),
        cameras(call.cameras.size()),
        sh(3 * size_t(call.scene.sh_coefficients) * n),
        colours((call.scene.colours_by_camera ? rows : n) * channels) {}
};

class StagedDrawn final : public raster::Drawn<float> {
 public:
  StagedDrawn(std::unique_ptr<Copies> scene, std::unique_ptr<raster::Drawn<float>> drawn, const Counts& counts,
              const DeviceMemory& memory)
      : scene_(std::move(scene)), drawn_(std::move(drawn)), counts_(counts), memory_(memory) {}

  void backward_pictures(const raster::PictureGradients<float>& in,
                         const raster::ScreenGradients<float>& out) override {
    Copies c(memory_);
    drawn_->backward_pictures({c.in(in.colour, counts_.pixels * counts_.channels), c.in(in.alpha, counts_.pixels),
                               c.in(in.depth, counts_.pixels)},
                              {c.out(out.means2d, 2 * counts_.rows), c.out(out.means2d_abs, 2 * counts_.rows)});
    c.fetch();
  }
  void backward_scene(const float* v_means2d, const raster::SceneGradients<float>& out) override {
    Copies c(memory_);
    const size_t n = counts_.n;
    drawn_->backward_scene(
        c.in(v_means2d, 2 * counts_.rows),
        {c.out(out.means, 3 * n), c.out(out.quats, 4 * n), c.out(out.scales, 3 * n), c.out(out.covariances, 6 * n),
         c.out(out.opacities, n), c.out(out.sh, counts_.sh), c.out(out.colours, counts_.colours),
         c.out(out.cam_from_world, 12 * counts_.cameras), c.out(out.background, counts_.cameras * counts_.channels)});
    c.fetch();
  }

 private:
  std::unique_ptr<Copies> scene_;
  std::unique_ptr<raster::Drawn<float>> drawn_;
  Counts counts_;
  const DeviceMemory& memory_;
};

class Staged final : public raster::Rasteriser<float> {
 public:
  Staged(DeviceMemory memory, std::unique_ptr<raster::Rasteriser<float>> rasteriser)
      : memory_(std::move(memory)), rasteriser_(std::move(rasteriser)) {}

  std::unique_ptr<raster::Drawn<float>> forward(const raster::Call<float>& host) override {
    const Counts counts(host);
    raster::Call<float> call = host;
    auto scene = std::make_unique<Copies>(memory_);
    raster::Scene<float>& s = call.scene;
    s.means = scene->in(s.means, 3 * counts.n), s.quats = scene->in(s.quats, 4 * counts.n);
    s.scales = scene->in(s.scales, 3 * counts.n), s.covariances = scene->in(s.covariances, 6 * counts.n);
    s.opacities = scene->in(s.opacities, counts.n), s.sh = scene->in(s.sh, counts.sh);
    s.colours = scene->in(s.colours, counts.colours);
    call.background = scene->in(call.background, counts.cameras * counts.channels);
    Copies c(memory_);
    raster::Pictures<float>& out = call.pictures;
    out = {c.out(out.colour, counts.pixels * counts.channels),
           c.out(out.alpha, counts.pixels),
           c.out(out.depth, counts.pixels),
           c.out(out.means2d, 2 * counts.rows),
           c.out(out.depths, counts.rows),
           c.out(out.conics, 3 * counts.rows),
           c.out(out.compensations, counts.rows),
           c.out(out.radii, 2 * counts.rows),
           c.out(out.touched, counts.rows)};
    auto drawn = rasteriser_->forward(call);
    c.fetch();
    if (!drawn) return nullptr;
    return std::make_unique<StagedDrawn>(std::move(scene), std::move(drawn), counts, memory_);
  }

 private:
  DeviceMemory memory_;
  std::unique_ptr<raster::Rasteriser<float>> rasteriser_;
};

}  // namespace

std::unique_ptr<raster::Rasteriser<float>> staged(const std::string& backend,
                                                  std::unique_ptr<raster::Rasteriser<float>> rasteriser) {
  if (backend == "cuda") return std::make_unique<Staged>(cuda_memory(), std::move(rasteriser));
  const GpuPlugin plugin = load_plugin(backend);
  const std::string& runtime = plugin.tried.back().runtime;
  if (runtime.empty()) return rasteriser;
  return std::make_unique<Staged>(hip_memory(runtime), std::move(rasteriser));
}

}  // namespace splat::test
