#include "splat/model/camera_models.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "splat/core/check.h"

namespace splat {

namespace {

using math::DivisionDistortion, math::EucmDistortion, math::FisheyeDistortion, math::FovDistortion, math::NoDistortion;
using math::RadTanThinPrismDistortion, math::RationalDistortion;
using Distortion = Lens::Distortion;
using Model = CameraModel;

Distortion none(const double*) { return NoDistortion{}; }

// Distortion with all coefficients zero is none.
Distortion rational(const RationalDistortion& distortion) {
  if (distortion == RationalDistortion{}) return NoDistortion{};
  return distortion;
}

Distortion fov(const double* k) {
  if (std::abs(k[0]) < 1e-6) return NoDistortion{};  // the limit; the formula would divide by omega
  return FovDistortion{k[0]};
}

Distortion division(const double* k) {
  if (k[0] == 0) return NoDistortion{};
  return DivisionDistortion{k[0]};
}

Distortion eucm(const double* k) {
  if (k[0] == 0) return NoDistortion{};
  return EucmDistortion{k[0], k[1]};
}

Distortion rad_tan_thin_prism(const double* k) {
  RadTanThinPrismDistortion distortion{.p0 = k[6], .p1 = k[7], .s0 = k[8], .s1 = k[9], .s2 = k[10], .s3 = k[11]};
  std::copy_n(k, std::size(distortion.k), distortion.k);
  return distortion;
}

const char* eucm_problem(const SourceCamera& camera) {
  const double alpha = camera.params[4], beta = camera.params[5];
  if (!(alpha >= 0 && alpha <= 1)) return "alpha of an EUCM camera is not between 0 and 1";
  if (!(beta > 0)) return "beta of an EUCM camera is not positive";
  return nullptr;
}

// The two parameters repeat the size; programs that scale a model round one of them.
const char* panorama_problem(const SourceCamera& camera) {
  const bool agree = std::abs(camera.params[0] - camera.width) <= 1 && std::abs(camera.params[1] - camera.height) <= 1;
  return agree ? nullptr : "the parameters w, h of the EQUIRECTANGULAR camera differ from its image size";
}

constexpr size_t kColmapModels = 18;
constexpr std::array<CameraModelInfo, kColmapModels + 1> kModels{{
    {Model::kSimplePinhole, "SIMPLE_PINHOLE", "f, cx, cy", none},
    {Model::kPinhole, "PINHOLE", "fx, fy, cx, cy", none},
    {Model::kSimpleRadial, "SIMPLE_RADIAL", "f, cx, cy, k", [](const double* k) { return rational({.k1 = k[0]}); }},
    {Model::kRadial, "RADIAL", "f, cx, cy, k1, k2", [](const double* k) { return rational({.k1 = k[0], .k2 = k[1]}); }},
    {Model::kOpenCv, "OPENCV", "fx, fy, cx, cy, k1, k2, p1, p2",
     [](const double* k) { return rational({.k1 = k[0], .k2 = k[1], .p1 = k[2], .p2 = k[3]}); }},
    {Model::kOpenCvFisheye, "OPENCV_FISHEYE", "fx, fy, cx, cy, k1, k2, k3, k4",
     [](const double* k) -> Distortion { return FisheyeDistortion{.k1 = k[0], .k2 = k[1], .k3 = k[2], .k4 = k[3]}; }},
    {Model::kFullOpenCv, "FULL_OPENCV", "fx, fy, cx, cy, k1, k2, p1, p2, k3, k4, k5, k6",
     [](const double* k) {
       return rational(
           {.k1 = k[0], .k2 = k[1], .k3 = k[4], .k4 = k[5], .k5 = k[6], .k6 = k[7], .p1 = k[2], .p2 = k[3]});
     }},
    {Model::kFov, "FOV", "fx, fy, cx, cy, omega", fov},
    {Model::kSimpleRadialFisheye, "SIMPLE_RADIAL_FISHEYE", "f, cx, cy, k",
     [](const double* k) -> Distortion { return FisheyeDistortion{.k1 = k[0]}; }},
    {Model::kRadialFisheye, "RADIAL_FISHEYE", "f, cx, cy, k1, k2",
     [](const double* k) -> Distortion { return FisheyeDistortion{.k1 = k[0], .k2 = k[1]}; }},
    {Model::kThinPrismFisheye, "THIN_PRISM_FISHEYE", "fx, fy, cx, cy, k1, k2, p1, p2, k3, k4, sx1, sy1",
     [](const double* k) -> Distortion {
       return FisheyeDistortion{
           .k1 = k[0], .k2 = k[1], .k3 = k[4], .k4 = k[5], .p1 = k[2], .p2 = k[3], .sx1 = k[6], .sy1 = k[7]};
     }},
    {Model::kRadTanThinPrismFisheye, "RAD_TAN_THIN_PRISM_FISHEYE",
     "fx, fy, cx, cy, k0, k1, k2, k3, k4, k5, p0, p1, s0, s1, s2, s3", rad_tan_thin_prism},
    {Model::kSimpleDivision, "SIMPLE_DIVISION", "f, cx, cy, k", division},
    {Model::kDivision, "DIVISION", "fx, fy, cx, cy, k", division},
    {Model::kSimpleFisheye, "SIMPLE_FISHEYE", "f, cx, cy",
     [](const double*) -> Distortion { return FisheyeDistortion{}; }},
    {Model::kFisheye, "FISHEYE", "fx, fy, cx, cy", [](const double*) -> Distortion { return FisheyeDistortion{}; }},
    {Model::kEucm, "EUCM", "fx, fy, cx, cy, alpha, beta", eucm, eucm_problem},
    {Model::kEquirectangular, "EQUIRECTANGULAR", "w, h", nullptr, panorama_problem},
    {kOpenCvK4, "OPENCV with k4", "fx, fy, cx, cy, k1, k2, p1, p2, k3, k4",
     [](const double* k) {
       return rational({.k1 = k[0], .k2 = k[1], .k3 = k[4], .p1 = k[2], .p2 = k[3], .by_r8 = k[5]});
     }},
}};

constexpr bool ids_are_places() {
  for (size_t i = 0; i < kModels.size(); ++i)
    if (kModels[i].model != Model(i)) return false;
  return true;
}
static_assert(ids_are_places());

}  // namespace

size_t CameraModelInfo::parameter_count() const {
  return 1 + size_t(std::count(parameters.begin(), parameters.end(), ','));
}

size_t CameraModelInfo::focal_lengths() const { return is_panorama() ? 0 : parameters.starts_with("fx") ? 2 : 1; }

std::span<const CameraModelInfo> camera_models() { return std::span(kModels).first(kColmapModels); }

const CameraModelInfo& camera_model_info(CameraModel model) {
  SPLAT_CHECK(size_t(model) < kModels.size());
  return kModels[size_t(model)];
}

const CameraModelInfo* find_camera_model(int id) {
  return id >= 0 && id < int(kColmapModels) ? &kModels[size_t(id)] : nullptr;
}

const CameraModelInfo* find_camera_model(std::string_view name) {
  for (const CameraModelInfo& info : camera_models())
    if (info.name == name) return &info;
  return nullptr;
}

bool is_panorama_name(std::string_view name) {
  return name == "EQUIRECTANGULAR" || name == "SPHERICAL" || name == "SPHERE";
}

std::string known_camera_models() {
  std::string names;
  for (const CameraModelInfo& info : camera_models()) names += (names.empty() ? "" : ", ") + std::string(info.name);
  return names;
}

}  // namespace splat
