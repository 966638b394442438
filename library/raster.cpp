#include <cmath>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "library/device.h"
#include "library/structs.h"
#include "splat/backend/reference/reference_rasteriser.h"

namespace raster = splat::raster;

namespace library {

template <class T>
using Kept = std::unique_ptr<raster::Drawn<T>>;
enum class Next { kPictures, kScene, kNothing };

}  // namespace library

struct hs_drawn {
  hs_device* device = nullptr;
  library::Next next = library::Next::kPictures;
  std::variant<library::Kept<float>, library::Kept<double>> kept;
};

namespace library {
namespace {

constexpr int32_t kMostCameras = 1 << 16;

int checked_choice(int32_t value, int32_t most, const char* name) {
  if (value < 0 || value > most)
    refuse(std::string(name) + " is " + std::to_string(value) + "; it is 0 to " + std::to_string(most));
  return value;
}

splat::Lender lender_of(const hs_allocator* given, void* stream) {
  if (!given) return {};
  const hs_allocator allocator = read_struct(given, "scratch");
  if (!allocator.allocate || !allocator.free) refuse("a function of scratch is null");
  return {allocator.user, allocator.allocate, allocator.free, stream};
}

raster::Settings checked(const hs_raster_settings* given) {
  const hs_raster_settings s = read_struct(given, "settings");
  for (const double value :
       {s.low_pass, s.near_plane, s.far_plane, s.radius_clip, s.scale_modifier, s.alpha_max, s.transmittance_stop})
    if (!std::isfinite(value)) refuse("a number of settings is not finite");
  raster::Settings settings;
  settings.width = s.width;
  settings.height = s.height;
  settings.low_pass = s.low_pass;
  settings.near_plane = s.near_plane;
  settings.far_plane = s.far_plane;
  settings.radius_clip = s.radius_clip;
  settings.scale_modifier = s.scale_modifier;
  settings.alpha_max = s.alpha_max;
  settings.transmittance_stop = s.transmittance_stop;
  settings.compensation = raster::Compensation(checked_choice(s.compensation, HS_COMPENSATION_INRIA, "compensation"));
  settings.depth = raster::Depth(checked_choice(s.depth, HS_DEPTH_INVERSE, "depth"));
  settings.jacobian_clamp = raster::JacobianClamp(checked_choice(s.jacobian_clamp, HS_CLAMP_INRIA, "jacobian_clamp"));
  settings.footprint = raster::Footprint(checked_choice(s.footprint, HS_FOOTPRINT_THREE_SIGMA, "footprint"));
  settings.raw_quats = checked_choice(s.raw_quats, 1, "raw_quats") == 1;
  settings.channels_first = checked_choice(s.channels_first, 1, "channels_first") == 1;
  settings.clamp_sh = checked_choice(s.clamp_sh, 1, "clamp_sh") == 1;
  return settings;
}

template <class T>
raster::Scene<T> scene_of(const hs_scene& given) {
  const auto array = [](const void* pointer) { return static_cast<const T*>(pointer); };
  raster::Scene<T> scene;
  scene.splats = given.count;
  scene.means = array(given.means);
  scene.quats = array(given.quats);
  scene.scales = array(given.scales);
  scene.covariances = array(given.covariances);
  scene.opacities = array(given.opacities);
  scene.sh = array(given.sh);
  scene.sh_coefficients = given.sh_coefficients;
  scene.sh_degree = given.sh_degree;
  scene.colours = array(given.colours);
  scene.colours_by_camera = checked_choice(given.colours_by_camera, 1, "colours_by_camera") == 1;
  scene.channels = given.channels;
  return scene;
}

template <class T>
raster::Pictures<T> pictures_of(const hs_pictures& given) {
  const auto array = [](void* pointer) { return static_cast<T*>(pointer); };
  raster::Pictures<T> pictures;
  pictures.colour = array(given.colour);
  pictures.alpha = array(given.alpha);
  pictures.depth = array(given.depth);
  pictures.means2d = array(given.means2d);
  pictures.depths = array(given.depths);
  pictures.conics = array(given.conics);
  pictures.compensations = array(given.compensations);
  pictures.radii = given.radii;
  pictures.touched = given.touched;
  return pictures;
}

std::vector<raster::Camera> cameras_of(const hs_camera* cameras, int32_t count) {
  if (count < 1 || count > kMostCameras)
    refuse("camera_count is " + std::to_string(count) + "; it is 1 to " + std::to_string(kMostCameras));
  check_pointer(cameras, "cameras");
  std::vector<raster::Camera> all(static_cast<size_t>(count));
  for (size_t c = 0; c < all.size(); ++c) {
    bool finite = true;
    for (size_t i = 0; i < 12; ++i) {
      all[c].cam_from_world[i] = cameras[c].cam_from_world[i];
      finite = finite && std::isfinite(float(cameras[c].cam_from_world[i]));
    }
    all[c].fx = cameras[c].fx;
    all[c].fy = cameras[c].fy;
    all[c].cx = cameras[c].cx;
    all[c].cy = cameras[c].cy;
    for (const double value : {all[c].fx, all[c].fy, all[c].cx, all[c].cy})
      finite = finite && std::isfinite(float(value));
    if (!finite) refuse("camera " + std::to_string(c) + " has a number that is not finite, or too large");
  }
  return all;
}

// The device's, made when it is first needed.
template <class T>
raster::Rasteriser<T>& rasteriser_of(hs_device& device);
template <>
raster::Rasteriser<float>& rasteriser_of(hs_device& device) {
  if (!device.of_floats) device.of_floats = make_rasteriser(device);
  return *device.of_floats;
}
template <>
raster::Rasteriser<double>& rasteriser_of(hs_device& device) {
  if (is_gpu(device))
    throw Failure{HS_ERROR_UNSUPPORTED,
                  "the backend '" + device.backend->info().name + "' draws HS_FLOAT32; HS_FLOAT64 is for the host's"};
  if (!device.of_doubles) device.of_doubles = splat::make_reference_rasteriser<double>();
  return *device.of_doubles;
}

// What a call is given, checked but for what the engine knows better.
struct Given {
  hs_scene scene;
  std::vector<raster::Camera> cameras;
  const void* background;
  raster::Settings settings;
  hs_pictures pictures;
  void* stream;
  splat::Lender lender;
  bool keep;
};

// A call's turn on its device. What the caller's allocator lets go of meanwhile waits for the end of the turn.
class Turn {
 public:
  explicit Turn(hs_device& device) {
    if (running) refuse("the functions of an hs_allocator may not draw");
    lock_ = std::unique_lock(device.busy);
    running = this;
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    running = nullptr;
    lock_.unlock();
    for (hs_drawn* drawn : freed_) hs_drawn_free(drawn);
  }
  void free_later(hs_drawn* drawn) { freed_.push_back(drawn); }

  static thread_local Turn* running;  // of this thread

 private:
  std::unique_lock<std::mutex> lock_;
  std::vector<hs_drawn*> freed_;
};
thread_local Turn* Turn::running = nullptr;

template <class T>
std::unique_ptr<hs_drawn> rasterise(hs_device& device, const Given& given) {
  raster::Call<T> call;
  call.scene = scene_of<T>(given.scene);
  call.cameras = given.cameras;
  call.background = static_cast<const T*>(given.background);
  call.settings = given.settings;
  call.pictures = pictures_of<T>(given.pictures);
  call.keep = given.keep;
  call.stream = given.stream;
  call.lender = given.lender;
  if (const splat::Status status = raster::check(call); !status) refuse(status.error().message);
  Turn turn(device);
  auto drawn = std::make_unique<hs_drawn>();
  drawn->device = &device;
  raster::Rasteriser<T>& rasteriser = rasteriser_of<T>(device);
  if (call.lender && (!std::is_same_v<T, float> || device.backend->info().name == "reference"))
    throw Failure{HS_ERROR_UNSUPPORTED, "the reference has scratch of its own alone"};
  drawn->kept = rasteriser.forward(call);
  return given.keep ? std::move(drawn) : nullptr;
}

template <class T>
void backward_pictures(Kept<T>& kept, const hs_picture_gradients& given, const hs_screen_gradients& screen) {
  const auto array = [](const void* pointer) { return static_cast<const T*>(pointer); };
  kept->backward_pictures({array(given.colour), array(given.alpha), array(given.depth)},
                          {static_cast<T*>(screen.means2d), static_cast<T*>(screen.means2d_abs)});
}

template <class T>
void backward_scene(Kept<T>& kept, const void* v_means2d, const hs_scene_gradients& given) {
  const auto array = [](void* pointer) { return static_cast<T*>(pointer); };
  kept->backward_scene(
      static_cast<const T*>(v_means2d),
      {array(given.means), array(given.quats), array(given.scales), array(given.covariances), array(given.opacities),
       array(given.sh), array(given.colours), array(given.cam_from_world), array(given.background)});
}

// One half of the backward pass, at its turn. What failed is not tried again.
template <class Half>
void go_backward(hs_drawn* drawn, Next half, const Half& body) {
  check_pointer(drawn, "drawn");
  Turn turn(*drawn->device);
  if (drawn->next != half)
    refuse("the halves of a backward pass come once each: that of the pictures, then that of the scene");
  drawn->next = Next::kNothing;
  std::visit(body, drawn->kept);
  drawn->next = half == Next::kPictures ? Next::kScene : Next::kNothing;
}

}  // namespace
}  // namespace library

extern "C" {

void hs_raster_defaults(hs_raster_settings* settings) {
  if (!settings) return;
  const raster::Settings defaults;
  *settings = {};
  settings->struct_size = sizeof *settings;
  settings->low_pass = defaults.low_pass;
  settings->near_plane = defaults.near_plane;
  settings->far_plane = defaults.far_plane;
  settings->scale_modifier = defaults.scale_modifier;
  settings->alpha_max = defaults.alpha_max;
  settings->transmittance_stop = defaults.transmittance_stop;
  settings->clamp_sh = 1;
}

hs_status hs_rasterize(hs_device* device, const hs_scene* scene, const hs_camera* cameras, int32_t camera_count,
                       const void* background, const hs_raster_settings* settings, const hs_pictures* pictures,
                       void* stream, hs_drawn** kept) {
  return library::guarded([&] {
    if (kept) *kept = nullptr;
    library::check_pointer(device, "device");
    const library::Given given{library::read_struct(scene, "scene"),
                               library::cameras_of(cameras, camera_count),
                               background,
                               library::checked(settings),
                               library::read_struct(pictures, "pictures"),
                               stream,
                               library::lender_of(settings->scratch, stream),
                               kept != nullptr};
    std::unique_ptr<hs_drawn> drawn = library::checked_choice(given.scene.type, HS_FLOAT64, "type") == HS_FLOAT64
                                          ? library::rasterise<double>(*device, given)
                                          : library::rasterise<float>(*device, given);
    if (kept) *kept = drawn.release();
  });
}

hs_status hs_rasterize_backward_pictures(hs_drawn* drawn, const hs_picture_gradients* gradients,
                                         const hs_screen_gradients* screen) {
  return library::guarded([&] {
    const hs_picture_gradients in = library::read_struct(gradients, "gradients");
    const hs_screen_gradients out = screen ? library::read_struct(screen, "screen") : hs_screen_gradients{};
    library::go_backward(drawn, library::Next::kPictures,
                         [&](auto& kept) { library::backward_pictures(kept, in, out); });
  });
}

hs_status hs_rasterize_backward_scene(hs_drawn* drawn, const void* v_means2d, const hs_scene_gradients* gradients) {
  return library::guarded([&] {
    const hs_scene_gradients out = library::read_struct(gradients, "gradients");
    library::go_backward(drawn, library::Next::kScene,
                         [&](auto& kept) { library::backward_scene(kept, v_means2d, out); });
  });
}

void hs_drawn_free(hs_drawn* drawn) {
  library::guarded([&] {
    if (!drawn) return;
    if (library::Turn::running) return library::Turn::running->free_later(drawn);
    library::Turn turn(*drawn->device);
    delete drawn;
  });
}
}
