#include "tests/splat/raster/raster_case.h"

#include <cmath>

#include "splat/math/raster_chain.h"
#include "tests/support/random_values.h"

namespace splat::test {
namespace {

template <class T>
std::vector<T> as(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}
template <class T>
const T* or_null(const std::vector<T>& values) {
  return values.empty() ? nullptr : values.data();
}
template <class T>
void read(const std::vector<T>& from, std::vector<double>& to) {
  to.assign(from.begin(), from.end());
}
double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Room for outputs, with a value that nothing computes.
template <class T>
std::vector<T> room(size_t n) {
  return std::vector<T>(n, T(-777));
}

template <class T>
struct Arrays {
  std::vector<T> means, quats, scales, covariances, opacities, sh, colours, background;
  std::vector<T> colour, alpha, depth, means2d, depths, conics, compensations;
  std::vector<int32_t> radii, touched;
  raster::Call<T> call;

  explicit Arrays(const RasterCase& at)
      : means(as<T>(at.means)),
        quats(as<T>(at.quats)),
        scales(as<T>(at.scales)),
        covariances(as<T>(at.covariances)),
        opacities(as<T>(at.opacities)),
        sh(as<T>(at.sh)),
        colours(as<T>(at.colours)),
        background(as<T>(at.background)) {
    const size_t views = at.cameras.size(), pixels = views * at.pixels(), rows = views * at.splats;
    colour = room<T>(pixels * size_t(at.channels)), alpha = room<T>(pixels), depth = room<T>(pixels);
    means2d = room<T>(2 * rows), depths = room<T>(rows), conics = room<T>(3 * rows), compensations = room<T>(rows);
    radii = room<int32_t>(2 * rows), touched = room<int32_t>(rows);
    call.scene = {
        at.splats,   or_null(means),     or_null(quats), or_null(scales),  or_null(covariances), or_null(opacities),
        or_null(sh), at.sh_coefficients, at.sh_degree,   or_null(colours), at.colours_by_camera, at.channels};
    call.cameras = at.cameras;
    call.background = or_null(background);
    call.settings = at.settings;
    const bool has_depth = at.settings.depth != raster::Depth::kNone;
    call.pictures = {colour.data(),        alpha.data(),  has_depth ? depth.data() : nullptr,
                     means2d.data(),       depths.data(), conics.data(),
                     compensations.data(), radii.data(),  touched.data()};
    if (!has_depth) depth.clear();
  }
};

template <class T>
void run_backward(raster::Drawn<T>& drawn, const RasterCase& at, const Arrays<T>& arrays, RasterResult& out) {
  const size_t n = at.splats, views = at.cameras.size();
  const std::vector<T> v_colour = as<T>(at.v_colour), v_alpha = as<T>(at.v_alpha), v_depth = as<T>(at.v_depth);
  std::vector<T> v_means2d = room<T>(2 * n * views), v_abs = v_means2d;
  drawn.backward_pictures({or_null(v_colour), or_null(v_alpha), or_null(v_depth)}, {v_means2d.data(), v_abs.data()});
  read(v_means2d, out.v_means2d), read(v_abs, out.v_means2d_abs);
  for (size_t i = 0; i < at.v_means2d.size(); ++i) v_means2d[i] += T(at.v_means2d[i]);
  std::vector<T> means = room<T>(3 * n), quats = room<T>(arrays.quats.size()), scales = room<T>(arrays.scales.size());
  std::vector<T> covariances = room<T>(arrays.covariances.size()), opacities = room<T>(n);
  std::vector<T> sh = room<T>(arrays.sh.size()), colours = room<T>(arrays.colours.size());
  std::vector<T> cam = room<T>(12 * views), background = room<T>(views * size_t(at.channels));
  const auto wanted = [](std::vector<T>& values) { return values.empty() ? nullptr : values.data(); };
  drawn.backward_scene(at.v_means2d.empty() ? nullptr : v_means2d.data(),
                       {means.data(), wanted(quats), wanted(scales), wanted(covariances), opacities.data(), wanted(sh),
                        wanted(colours), cam.data(), background.data()});
  read(means, out.v_means), read(quats, out.v_quats), read(scales, out.v_scales);
  read(covariances, out.v_covariances), read(opacities, out.v_opacities), read(sh, out.v_sh);
  read(colours, out.v_colours), read(cam, out.v_cam), read(background, out.v_background);
}

}  // namespace

template <class T>
RasterResult run(raster::Rasteriser<T>& rasteriser, const RasterCase& at, Passes passes) {
  RasterResult out;
  Arrays<T> arrays(at);
  arrays.call.keep = passes == Passes::kBoth;
  const auto drawn = rasteriser.forward(arrays.call);
  read(arrays.colour, out.colour), read(arrays.alpha, out.alpha), read(arrays.depth, out.depth);
  read(arrays.means2d, out.means2d), read(arrays.depths, out.depths), read(arrays.conics, out.conics);
  read(arrays.compensations, out.compensations);
  out.radii = arrays.radii, out.touched = arrays.touched;
  out.loss = product(at.v_colour, out.colour) + product(at.v_alpha, out.alpha) + product(at.v_depth, out.depth) +
             product(at.v_means2d, out.means2d);
  if (drawn) run_backward(*drawn, at, arrays, out);
  return out;
}
template RasterResult run(raster::Rasteriser<float>&, const RasterCase&, Passes);
template RasterResult run(raster::Rasteriser<double>&, const RasterCase&, Passes);

namespace {

// A camera that looks at the origin's neighbourhood from about 4 units away.
raster::Camera random_camera(RandomValues& random, const raster::Settings& s) {
  const auto r = math::rotation_from_quat(
      math::Quat<double>{1, random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), random.uniform(-0.2, 0.2)});
  raster::Camera camera;
  for (size_t i = 0; i < 3; ++i)
    for (size_t k = 0; k < 3; ++k) camera.cam_from_world[4 * i + k] = r.m[i][k];
  camera.cam_from_world[3] = random.uniform(-0.2, 0.2), camera.cam_from_world[7] = random.uniform(-0.2, 0.2);
  camera.cam_from_world[11] = random.uniform(3.5, 4.5);
  camera.fx = s.width * random.uniform(0.9, 1.2), camera.fy = s.height * random.uniform(0.9, 1.2);
  camera.cx = s.width * random.uniform(0.4, 0.6), camera.cy = s.height * random.uniform(0.4, 0.6);
  return camera;
}

void fill(RandomValues& random, double low, double high, size_t n, std::vector<double>& out) {
  out.resize(n);
  for (double& v : out) v = random.uniform(low, high);
}

// Colours of `channels`, or SH of three channels where that is 0.
RasterCase random_case(const std::string& name, uint64_t seed, size_t splats, int channels, size_t cameras = 1) {
  RandomValues random(seed);
  RasterCase at;
  at.name = name, at.splats = splats, at.channels = channels > 0 ? channels : 3;
  at.settings.width = 40, at.settings.height = 37;
  for (size_t i = 0; i < splats; ++i) {
    for (int k = 0; k < 3; ++k) at.means.push_back(random.uniform(-1.6, 1.6));
    const auto q = random.quat();
    const double length = random.uniform(0.5, 2);
    for (double v : {q.w, q.x, q.y, q.z}) at.quats.push_back(length * v);
    for (int k = 0; k < 3; ++k) at.scales.push_back(std::exp(random.uniform(-4, -1.2)));
    at.opacities.push_back(random.uniform(0.05, 0.97));
  }
  if (channels > 0) {
    fill(random, 0, 1, splats * size_t(channels), at.colours);
  } else {
    at.sh_coefficients = 16, at.sh_degree = 3;
    fill(random, -0.5, 0.5, splats * 48, at.sh);
  }
  for (size_t i = 0; i < cameras; ++i) at.cameras.push_back(random_camera(random, at.settings));
  fill(random, 0, 1, cameras * size_t(at.channels), at.background);
  fill(random, -1, 1, cameras * at.pixels() * size_t(at.channels), at.v_colour);
  fill(random, -1, 1, cameras * at.pixels(), at.v_alpha);
  return at;
}
void want_depth(RasterCase& at, raster::Depth depth) {
  RandomValues random(77);
  at.settings.depth = depth;
  fill(random, -1, 1, at.cameras.size() * at.pixels(), at.v_depth);
}
RasterCase with_compensation(const std::string& name, raster::Compensation compensation, double low_pass) {
  RasterCase at = random_case(name, 21, 60, 3);
  at.settings.compensation = compensation, at.settings.low_pass = low_pass;
  for (double& s : at.scales) s *= 0.4;
  return at;
}

// Thin, at the border, behind the camera, clamped, transparent, of no size, without rotation.
RasterCase degenerate_case() {
  RasterCase at = random_case("Degenerate", 31, 48, 0);
  for (size_t i = 0; i < at.splats; ++i) {
    double *mean = &at.means[3 * i], *scale = &at.scales[3 * i], *quat = &at.quats[4 * i];
    switch (i % 8) {
      case 0:
        scale[0] = 1e-4;
        break;
      case 1:
        mean[0] = i % 16 == 1 ? 2.3 : -2.3, scale[0] = scale[1] = 0.4;
        break;
      case 2:
        mean[2] = -5;
        break;
      case 3:
        at.opacities[i] = 1, scale[0] = scale[1] = 0.3;
        break;
      case 4:
        at.opacities[i] = 0;
        break;
      case 5:
        scale[0] = scale[1] = scale[2] = 0;
        break;
      case 6:
        quat[0] = quat[1] = quat[2] = quat[3] = 0;
        break;
      default:
        scale[1] = 0;
        break;
    }
  }
  return at;
}

RasterCase covariance_case() {
  RasterCase at = random_case("Covariances", 42, 60, 3);
  for (size_t i = 0; i < at.splats; ++i) {
    const double* q = &at.quats[4 * i];
    const auto f = math::covariance_factor(math::rotation_from_quat(math::Quat<double>{q[0], q[1], q[2], q[3]}),
                                           {at.scales[3 * i], at.scales[3 * i + 1], at.scales[3 * i + 2]});
    for (int r = 0; r < 3; ++r)
      for (int c = r; c < 3; ++c) at.covariances.push_back(math::dot(math::row(f, r), math::row(f, c)));
  }
  at.quats.clear(), at.scales.clear();
  return at;
}

RasterCase inria_case() {
  RasterCase at = random_case("Inria", 51, 60, 0);
  auto& s = at.settings;
  s.raw_quats = s.channels_first = true, s.jacobian_clamp = raster::JacobianClamp::kInria;
  s.footprint = raster::Footprint::kThreeSigma, s.compensation = raster::Compensation::kInria;
  s.scale_modifier = 0.8, s.near_plane = 0.2;
  want_depth(at, raster::Depth::kInverse);
  for (size_t i = 0; i < at.splats; ++i) {  // about of length 1, as programs keep them
    double* q = &at.quats[4 * i];
    const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3])) / (0.9 + 0.2 * (i % 2));
    for (int k = 0; k < 4; ++k) q[k] /= length;
  }
  return at;
}

// A camera among the splats: some lie beyond the limits of the Jacobian.
RasterCase wide_case(raster::JacobianClamp clamp) {
  RasterCase at = random_case(clamp == raster::JacobianClamp::kInria ? "WideInria" : "Wide", 61, 60, 3);
  at.settings.jacobian_clamp = clamp;
  at.cameras[0].fx *= 0.5, at.cameras[0].fy *= 0.5, at.cameras[0].cam_from_world[11] = 1.2;
  at.settings.near_plane = 0.3, at.settings.far_plane = 2;
  return at;
}

RasterCase lasting_case() {  // many layers, so that pixels finish
  RasterCase at = random_case("Stops", 71, 150, 3);
  at.settings.alpha_max = 0.9, at.settings.transmittance_stop = 0.01;
  for (double& o : at.opacities) o = 0.5 + 0.5 * o;
  return at;
}

}  // namespace

std::vector<RasterCase> raster_cases() {
  using raster::Compensation;
  std::vector<RasterCase> cases{random_case("Sh", 11, 60, 0)};
  cases.push_back(random_case("Cameras", 12, 50, 0, 3));
  want_depth(cases.back(), raster::Depth::kExpected);
  cases.push_back(random_case("OneChannel", 13, 50, 1));
  cases.push_back(random_case("FiveChannels", 14, 50, 5, 2));
  want_depth(cases.back(), raster::Depth::kSum);
  cases.push_back(random_case("ManyChannels", 15, 40, 32));
  cases.back().settings.channels_first = true;
  cases.push_back(random_case("ColoursByCamera", 16, 50, 3, 2));
  cases.back().colours_by_camera = true;
  cases.back().colours.insert(cases.back().colours.end(), cases.back().colours.rbegin(), cases.back().colours.rend());
  cases.push_back(random_case("NoClamp", 17, 50, 0));
  cases.back().settings.clamp_sh = false, cases.back().sh_degree = 2;
  cases.push_back(random_case("DepthAlone", 18, 50, 3));
  cases.back().channels = 0, cases.back().colours.clear(), cases.back().v_colour.clear();
  cases.back().background.clear();
  want_depth(cases.back(), raster::Depth::kExpected);
  cases.push_back(random_case("Means2d", 19, 50, 3, 2));
  RandomValues random(5);
  fill(random, -1, 1, 2 * 2 * 50, cases.back().v_means2d);
  cases.push_back(random_case("RadiusClip", 20, 60, 3));
  cases.back().settings.radius_clip = 3;
  cases.push_back(with_compensation("Gsplat", Compensation::kGsplat, 0.3));
  cases.push_back(with_compensation("Mip", Compensation::kMip, 0.1));
  cases.push_back(with_compensation("InriaCompensation", Compensation::kInria, 0.3));
  RasterCase sharp = random_case("NoLowPass", 22, 50, 3);
  sharp.settings.low_pass = 0;
  cases.push_back(sharp);
  for (const RasterCase& at :
       {degenerate_case(), covariance_case(), inria_case(), wide_case(raster::JacobianClamp::kGsplat),
        wide_case(raster::JacobianClamp::kInria), lasting_case()})
    cases.push_back(at);
  return cases;
}

}  // namespace splat::test
