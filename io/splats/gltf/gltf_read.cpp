#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>
#include <tuple>
#include <vector>

#include "io/names.h"
#include "io/reconstruction/origin.h"
#include "io/splats/common/checks.h"
#include "io/splats/gltf/gltf.h"
#include "io/splats/gltf/gltf_document.h"
#include "io/splats/gltf/gltf_extensions.h"
#include "io/splats/gltf/gltf_placement.h"
#include "io/splats/gltf/gltf_unread.h"
#include "io/splats/spz/spz.h"
#include "io/text.h"
#include "splat/core/memory_guard.h"
#include "splat/core/parallel.h"
#include "splat/math/activation.h"
#include "splat/math/sh.h"
#include "splat/math/srgb.h"
#include "splat/model/gaussian_rows.h"
#include "splat/model/transform.h"

namespace io {

using nlohmann::json;
using splat::LinearMap;
using splat::Similarity;

namespace {

constexpr const char* kExtension = "KHR_gaussian_splatting";
constexpr int kDeepestNode = 64;
constexpr float kMostCertain = 17;  // logit of the float below 1: opacities of 0 and 1 become finite
constexpr const char* kInstancing = "EXT_mesh_gpu_instancing";
const LinearMap kPlyFromGltf{{-1, 0, 0, 0, -1, 0, 0, 0, 1}, {}};  // half a turn about z

class GltfReader {
 public:
  explicit GltfReader(const GltfDocument& document) : document_(document) {}

  Result<SplatFile> read() {
    SPLAT_TRY(read_scene());
    if (parts_.empty() && !unknown_packing_.empty())
      return document_.error("holds splats packed by the extension " + in_quotes(unknown_packing_) +
                             ", which hipsplat does not read; export them uncompressed, or as SPZ");
    if (parts_.empty() && document_.root().contains("meshes"))
      return document_.error(
          "is a triangle mesh, which the window shows, without splats (no primitive has the extension "
          "KHR_gaussian_splatting)");
    if (parts_.empty()) return document_.error("is a glTF file without meshes and splats");
    join_parts();
    describe();
    return std::move(file_);
  }

 private:
  struct Part {
    Gaussians model;
    LinearMap placed;
  };

  // ---- the scene
  Status read_scene() {
    const json& root = document_.root();
    if (!root.is_object()) return document_.error("is no glTF file");
    SPLAT_TRY(check_required_extensions(document_, GltfUse::kSplats));
    turn_back();
    SPLAT_ASSIGN_OR_RETURN(const auto centre, centre_of(document_));
    back_ = back_ * LinearMap{{1, 0, 0, 0, 1, 0, 0, 0, 1}, centre};
    const uint64_t index = whole_number(root, "scene", 0).value_or(0);
    if (const json* scene = document_.item("scenes", index)) {
      const auto nodes = scene->find("nodes");
      if (nodes == scene->end() || !nodes->is_array()) return {};
      for (const json& node : *nodes) SPLAT_TRY(read_node(node, back_, 0));
      return {};
    }
    const auto meshes = root.find("meshes");  // a library of meshes: as they are
    if (meshes != root.end() && meshes->is_array())
      for (size_t i = 0; i < meshes->size(); ++i) SPLAT_TRY(read_mesh(i, back_));
    return {};
  }

  // Where a writer of ours has turned another up direction than PLY's habit to y, that turn is undone.
  void turn_back() {
    const json* asset = member(document_.root(), "asset");
    const json* extras = asset ? member(*asset, "extras") : nullptr;
    std::array<double, 3> up{};
    if (!extras || !extras->is_object() || !extras->contains("up") || !read_numbers(*extras, "up", up)) return;
    if (!(std::hypot(up[0], up[1], up[2]) > 1e-6)) return;
    file_.view_up = up;
    back_ = splat::linear_map_of(inverse(splat::Similarity{1, splat::turn_to_y_up(up), {}}));
  }

  Status read_node(const json& index, const LinearMap& parent, int depth) {
    const json* node = index.is_number_unsigned() ? document_.item("nodes", index.get<uint64_t>()) : nullptr;
    if (!node) return document_.error("has a scene that names a node which is not there");
    if (depth > kDeepestNode || !visited_.insert(index.get<uint64_t>()).second)
      return document_.error("has nodes that contain themselves, or two parents");
    SPLAT_ASSIGN_OR_RETURN(const LinearMap own, map_of_node(document_, *node, index.get<uint64_t>()));
    const LinearMap world = parent * own;
    if (const auto mesh = node->find("mesh"); mesh != node->end()) {
      if (!mesh->is_number_unsigned()) return document_.error("has a node whose mesh is no number");
      SPLAT_ASSIGN_OR_RETURN(const std::vector<LinearMap> copies, copies_of(*node, index.get<uint64_t>()));
      for (const LinearMap& copy : copies) SPLAT_TRY(read_mesh(mesh->get<uint64_t>(), world * copy));
    }
    const auto children = node->find("children");
    if (children != node->end() && children->is_array())
      for (const json& child : *children) SPLAT_TRY(read_node(child, world, depth + 1));
    return {};
  }

  // The copies of a node's mesh by EXT_mesh_gpu_instancing; one, as it is, without.
  Result<std::vector<LinearMap>> copies_of(const json& node, uint64_t index) const {
    const json* extensions = member(node, "extensions");
    const json* instancing = extensions ? member(*extensions, kInstancing) : nullptr;
    const json* attributes = instancing ? member(*instancing, "attributes") : nullptr;
    if (!attributes) return std::vector<LinearMap>{{}};
    const std::string called = "node " + std::to_string(index);
    std::vector<float> shifts, turns, scales;
    size_t count = 0;
    for (const auto& [name, components, values] :
         {std::tuple("TRANSLATION", 3, &shifts), std::tuple("ROTATION", 4, &turns), std::tuple("SCALE", 3, &scales)}) {
      const json* at = member(*attributes, name);
      if (!at) continue;
      SPLAT_ASSIGN_OR_RETURN(const GltfAccessor accessor, attribute(at, components, components, name));
      if (count != 0 && accessor.count != count) return document_.error_in(called, "has copies that differ in number");
      count = accessor.count;
      values->resize(count * size_t(components));
      SPLAT_TRY(document_.read(accessor, values->data(), size_t(components)));
    }
    std::vector<LinearMap> copies;
    const auto three = [](const std::vector<float>& values, size_t i, double otherwise) {
      std::array<double, 3> of{otherwise, otherwise, otherwise};
      for (size_t c = 0; c < 3 && !values.empty(); ++c) of[c] = double(values[3 * i + c]);
      return of;
    };
    for (size_t i = 0; i < count; ++i) {
      GltfPlace place{{0, 0, 0, 1}, three(shifts, i, 0), three(scales, i, 1)};
      for (size_t c = 0; c < 4 && !turns.empty(); ++c) place.rotation[c] = double(turns[4 * i + c]);
      SPLAT_ASSIGN_OR_RETURN(const LinearMap copy, map_of(document_, place, called));
      copies.push_back(copy);
    }
    return copies;
  }

  Status read_mesh(uint64_t index, const LinearMap& placed) {
    const json* mesh = document_.item("meshes", index);
    if (!mesh) return document_.error("has a node that names mesh " + std::to_string(index) + ", which is not there");
    const auto primitives = mesh->find("primitives");
    if (primitives == mesh->end() || !primitives->is_array()) return {};
    for (const json& primitive : *primitives) {
      const auto attributes = primitive.is_object() ? primitive.find("attributes") : primitive.end();
      if (attributes == primitive.end() || !attributes->is_object()) continue;
      if (const json* spz = find_spz(primitive)) {
        SPLAT_TRY(read_packed_primitive(primitive, *attributes, *spz, placed));
      } else if (const json* inner = find_inner(primitive);
                 inner && inner->is_object() && !inner->empty() && !has_values(*attributes)) {
        unknown_packing_ = inner->begin().key();
      } else if (find(*attributes, "ROTATION")) {
        SPLAT_TRY(read_primitive(primitive, *attributes, placed));
      }  // else: not splats
    }
    return {};
  }

  // Whether its rotations are there, and not in what an extension has packed.
  bool has_values(const json& attributes) const {
    const json* index = find(attributes, "ROTATION");
    const json* accessor =
        index && index->is_number_unsigned() ? document_.item("accessors", index->get<uint64_t>()) : nullptr;
    return accessor && (accessor->contains("bufferView") || accessor->contains("sparse"));
  }

  // ---- splats packed as SPZ
  // The extension that holds them, under each of the names that it has had: within KHR_gaussian_splatting, or, in the
  // first drafts, beside it.
  static const json* find_spz(const json& primitive) {
    const json *outer = member(primitive, "extensions"), *inner = find_inner(primitive);
    for (const char* name : {"KHR_gaussian_splatting_compression_spz_2", "KHR_gaussian_splatting_compression_spz"})
      if (const json* found = inner ? member(*inner, name) : nullptr) return found;
    for (const char* name : {"KHR_spz_gaussian_splats_compression", "KHR_spz_compression"})
      if (const json* found = outer ? member(*outer, name) : nullptr) return found;
    return nullptr;
  }
  static const json* find_inner(const json& primitive) {
    const json* outer = member(primitive, "extensions");
    const json* splats = outer ? member(*outer, kExtension) : nullptr;
    return splats ? member(*splats, "extensions") : nullptr;
  }
  static const json* member(const json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found == object.end() ? nullptr : &*found;
  }

  // The extension's text expects SPZ's own frame inside (y up, z backward), which becomes glTF's by half a turn about
  // y. The tiles that are out there do not do so: Cesium takes the stored numbers as they are. Theirs are known by what
  // they lack, which the extension in its final form requires (as iTwin.js distinguishes them).
  static bool stored_in_frame_of_gltf(const json& primitive, const json& attributes) {
    const json* outer = member(primitive, "extensions");
    const json* splats = outer ? member(*outer, kExtension) : nullptr;
    return !splats || (!splats->contains("kernel") && !splats->contains("colorSpace") &&
                       !find(attributes, coefficient_name(0, 0)));
  }

  Status read_packed_primitive(const json& primitive, const json& attributes, const json& spz,
                               const LinearMap& placed) {
    const std::optional<uint64_t> view = whole_number(spz, "bufferView", ~uint64_t(0));
    if (!view) return document_.error("has splats packed as SPZ that name no buffer view");
    SPLAT_ASSIGN_OR_RETURN(const std::string bytes, document_.view_bytes(*view));
    ByteStream stream(bytes, document_.name() + ", buffer view " + std::to_string(*view));
    SPLAT_ASSIGN_OR_RETURN(SplatFile packed, unpack_spz(stream));
    SPLAT_TRY(count_splats(packed.gaussians.size()));
    file_.stored_sh_degree = std::max(file_.stored_sh_degree, packed.stored_sh_degree);
    file_.antialiased = file_.antialiased || packed.antialiased;
    packed_format_ = packed.format;
    for (const std::string& warning : packed.warnings)
      if (std::find(file_.warnings.begin(), file_.warnings.end(), warning) == file_.warnings.end())
        file_.warnings.push_back(warning);
    // unpack_spz() gives y down, z forward.
    const LinearMap to_gltf = stored_in_frame_of_gltf(primitive, attributes)
                                  ? LinearMap{{1, 0, 0, 0, -1, 0, 0, 0, -1}, {}}  // half a turn about x
                                  : kPlyFromGltf;
    note_colour_space(primitive);
    parts_.push_back({std::move(packed.gaussians), placed * to_gltf});
    return {};
  }

  // ---- one primitive
  // By its name in the extension, or in the drafts before it.
  static const json* find(const json& attributes, const std::string& name) {
    for (const std::string& prefix : {std::string(kExtension) + ":", std::string("_")})
      if (const auto found = attributes.find(prefix + name); found != attributes.end()) return &*found;
    return nullptr;
  }

  Result<GltfAccessor> attribute(const json* index, int least, int most, const std::string& name) const {
    if (!index || !index->is_number_unsigned()) return document_.error("has splats without " + name);
    SPLAT_ASSIGN_OR_RETURN(const GltfAccessor accessor, document_.accessor(index->get<uint64_t>()));
    if (accessor.components < least || accessor.components > most)
      return document_.error("has a " + name + " of " + std::to_string(accessor.components) + " components");
    return accessor;
  }

  // The degree up to which all coefficients are there.
  static int degree_of(const json& attributes) {
    for (int degree = 0;; ++degree)
      for (int k = 0; k < 2 * degree + 1; ++k)
        if (degree > 4 || !find(attributes, coefficient_name(degree, k))) return degree - 1;
  }
  static bool has_bands_above(const json& attributes, int degree) {
    for (const auto& [name, value] : attributes.items())
      if (const size_t at = name.find("SH_DEGREE_"); at != std::string::npos)
        if (std::atoi(name.c_str() + at + 10) > degree) return true;
    return false;
  }
  static std::string coefficient_name(int degree, int k) {
    return "SH_DEGREE_" + std::to_string(degree) + "_COEF_" + std::to_string(k);
  }

  Status count_splats(size_t more) {
    total_ += more;  // nodes may show a mesh many times
    if (total_ > document_.bytes()) return document_.error("claims more splats than it has bytes");
    return {};
  }

  Status read_primitive(const json& primitive, const json& attributes, const LinearMap& placed) {
    const auto position = attributes.find("POSITION");
    SPLAT_ASSIGN_OR_RETURN(const GltfAccessor means,
                           attribute(position == attributes.end() ? nullptr : &*position, 3, 3, "POSITION"));
    SPLAT_ASSIGN_OR_RETURN(const GltfAccessor quats, attribute(find(attributes, "ROTATION"), 4, 4, "ROTATION"));
    SPLAT_ASSIGN_OR_RETURN(const GltfAccessor scales, attribute(find(attributes, "SCALE"), 3, 3, "SCALE"));
    if (quats.count != means.count || scales.count != means.count)
      return document_.error("has splats whose attributes differ in number");
    SPLAT_TRY(count_splats(means.count));
    const int degree = degree_of(attributes);
    sh_hole_ = sh_hole_ || (degree < 4 && has_bands_above(attributes, degree));
    Gaussians model;
    model.sh_degree = std::clamp(degree, 0, splat::kMaxShDegree);
    file_.stored_sh_degree = std::max(file_.stored_sh_degree, degree);
    splat::MemoryGuard::ask_for_model(means.count, model.sh_degree);
    model.resize(means.count);
    SPLAT_TRY(document_.read(means, model.means.data(), 3));
    SPLAT_TRY(document_.read(quats, model.quats.data(), 4));
    for (size_t i = 0; i < model.size(); ++i)  // xyzw there
      std::rotate(model.quats.begin() + ptrdiff_t(4 * i), model.quats.begin() + ptrdiff_t(4 * i + 3),
                  model.quats.begin() + ptrdiff_t(4 * i + 4));
    SPLAT_TRY(document_.read(scales, model.log_scales.data(), 3));
    take_logarithms(model.log_scales);
    SPLAT_TRY(read_colours(attributes, degree, model));
    if (degree >= 0) note_colour_space(primitive);
    parts_.push_back({std::move(model), placed});
    return {};
  }

  // A negative size is impossible: then the file follows the drafts, which kept logarithms.
  void take_logarithms(std::vector<float>& scales) {
    if (std::any_of(scales.begin(), scales.end(), [](float s) { return s < 0; })) {
      log_scales_ = true;
      return;
    }
    for (float& scale : scales) scale = std::log(scale);
  }

  Status read_colours(const json& attributes, int degree, Gaussians& model) const {
    const size_t stride = size_t(model.coefficients()) * 3;
    for (int l = 0, k = 0; l <= std::min(degree, model.sh_degree); ++l)
      for (int m = 0; m < 2 * l + 1; ++m, ++k) {
        const std::string name = coefficient_name(l, m);
        SPLAT_ASSIGN_OR_RETURN(const GltfAccessor values, attribute(find(attributes, name), 3, 3, name));
        if (values.count != model.size()) return document_.error("has splats whose attributes differ in number");
        SPLAT_TRY(document_.read(values, model.sh.data() + 3 * k, stride));
      }
    std::vector<float> alphas;
    if (degree < 0) SPLAT_TRY(read_fallback_colours(attributes, model, alphas));
    if (const json* index = find(attributes, "OPACITY")) {
      SPLAT_ASSIGN_OR_RETURN(const GltfAccessor values, attribute(index, 1, 1, "OPACITY"));
      if (values.count != model.size()) return document_.error("has splats whose attributes differ in number");
      alphas.resize(model.size());
      SPLAT_TRY(document_.read(values, alphas.data(), 1));
    }
    if (alphas.size() != model.size()) return document_.error("has splats without OPACITY");
    for (size_t i = 0; i < model.size(); ++i)
      model.logit_opacities[i] =
          std::isnan(alphas[i])
              ? alphas[i]
              : std::clamp(splat::math::logit(std::clamp(alphas[i], 0.0f, 1.0f)), -kMostCertain, kMostCertain);
    return {};
  }

  // COLOR_0, of drafts and of files without spherical harmonics: colour and opacity. Linear, as all colours of vertices
  // in glTF; in drafts, whose names begin with _, the colour as it is shown. Files of ours always have the harmonics.
  Status read_fallback_colours(const json& attributes, Gaussians& model, std::vector<float>& alphas) const {
    const auto colour = attributes.find("COLOR_0");
    SPLAT_ASSIGN_OR_RETURN(const GltfAccessor values,
                           attribute(colour == attributes.end() ? nullptr : &*colour, 3, 4, "colours"));
    if (values.count != model.size()) return document_.error("has splats whose attributes differ in number");
    const size_t components = size_t(values.components);
    std::vector<float> rgba(model.size() * components);
    SPLAT_TRY(document_.read(values, rgba.data(), components));
    const bool linear = attributes.contains(std::string(kExtension) + ":ROTATION");
    for (size_t i = 0; i < model.size(); ++i) {
      for (size_t c = 0; c < 3; ++c) {
        const double value = double(rgba[components * i + c]);
        model.sh[3 * i + c] =
            float(((linear ? splat::math::srgb_from_linear(value) : value) - 0.5) / splat::math::kSh0);
      }
      if (components == 4) alphas.push_back(rgba[4 * i + 3]);
    }
    return {};
  }

  void note_colour_space(const json& primitive) {
    const json* at = &primitive;
    for (const char* key : {"extensions", kExtension, "colorSpace"}) {
      const auto found = at->is_object() ? at->find(key) : at->end();
      if (found == at->end()) return;
      at = &*found;
    }
    if (*at == "lin_rec709_display") linear_colours_ = true;
  }

  // ---- all of them together
  // Far from 0 for how much they span: what they are counted from, as positions of PLYs in double precision are.
  std::array<double, 3> origin_of_parts() const {
    constexpr size_t kMostRows = size_t(1) << 16;
    const auto moved = [](const Part& part) { return part.placed.translation != std::array<double, 3>{}; };
    if (std::none_of(parts_.begin(), parts_.end(), moved)) return {};
    const size_t stride = std::max<size_t>(1, total_ / kMostRows);
    std::vector<double> places;
    for (const Part& part : parts_)
      for (size_t row = 0; row < part.model.size(); row += stride) {
        const auto& m = part.placed.linear;
        const float* p = part.model.means.data() + 3 * row;
        for (size_t r = 0; r < 3; ++r)
          places.push_back(part.placed.translation[r] + m[3 * r] * double(p[0]) + m[3 * r + 1] * double(p[1]) +
                           m[3 * r + 2] * double(p[2]));
      }
    return local_origin_of(places);
  }

  void join_parts() {
    file_.frame.origin = origin_of_parts();
    if (file_.frame.says_something())
      file_.warnings.push_back("its nodes place the splats far from 0: positions are counted from " +
                               json(file_.frame.origin).dump() + ", which files made of them keep as their origin");
    int degree = 0;
    for (const Part& part : parts_) degree = std::max(degree, part.model.sh_degree);
    splat::ThreadPool pool;
    for (Part& part : parts_) {
      for (size_t c = 0; c < 3; ++c) part.placed.translation[c] -= file_.frame.origin[c];
      const bool exact = splat::transform_linearly(part.model, part.placed, pool);
      stretched_ = stretched_ || (!exact && part.model.sh_degree > 0);
      if (part.model.sh_degree < degree) part.model = splat::with_sh_degree(part.model, degree);
      if (&part == &parts_.front())
        file_.gaussians = std::move(part.model);
      else
        splat::append_rows(part.model, file_.gaussians);
      part.model = {};
    }
  }

  void describe() {
    file_.kind = SplatFormat::kGlb;
    file_.bytes = document_.bytes_beside();
    file_.format = "glTF 2.0 (KHR_gaussian_splatting" + (packed_format_.empty() ? "" : ", " + packed_format_) + ")";
    if (!file_.view_up) file_.view_up = {0, -1, 0};  // glTF is y-up, before the half turn
    const json* asset = &document_.root();
    const auto step = [&asset](const char* key) {
      const auto found = asset->is_object() ? asset->find(key) : asset->end();
      if (found == asset->end()) return false;
      asset = &*found;
      return true;
    };
    if (step("asset") && asset->contains("generator") && (*asset)["generator"].is_string()) {
      const std::string quoted = in_quotes((*asset)["generator"].get<std::string>());
      file_.producer = quoted.substr(1, quoted.size() - 2);
    }
    file_.front_at_z = file_.producer != "hipsplat";  // ours keep the front of the file that they were made of
    if (step("extras") && asset->is_object()) {
      file_.antialiased |= asset->contains("antialiased") && (*asset)["antialiased"] == true;
      file_.flat = asset->contains("flat") && (*asset)["flat"] == true;
      if (const auto px2 = asset->find("low_pass"); px2 != asset->end())
        take_low_pass(px2->is_number() ? px2->get<double>() : -1, file_);
      if (asset->contains("metres") && (*asset)["metres"] == true) file_.frame.metres_per_unit = 1;
    }
    if (log_scales_)
      file_.warnings.push_back(
          "the sizes are logarithms, as in drafts of KHR_gaussian_splatting before 2026; newer programs will misread "
          "this "
          "file, so convert it again");
    if (linear_colours_)
      file_.warnings.push_back(
          "the colours are linear (lin_rec709_display); they are shown as stored, which is too dark");
    if (stretched_)
      file_.warnings.push_back(
          "a node stretches its splats: their shapes are exact, their view-dependent colours only turned");
    if (sh_hole_)
      file_.warnings.push_back(
          "a band of spherical harmonics is missing below others: the bands from there on are left out");
    file_.unread = unread_parts_of_gltf(document_.root());
    note_reduced_degree(file_);
    check_splats(file_);
  }

  const GltfDocument& document_;
  SplatFile file_;
  LinearMap back_ = kPlyFromGltf;  // from glTF's frame to that of PLY
  std::set<uint64_t> visited_;
  uint64_t total_ = 0;
  std::vector<Part> parts_;
  bool log_scales_ = false, linear_colours_ = false, stretched_ = false, sh_hole_ = false;
  std::string unknown_packing_{};  // the name of an extension
  std::string packed_format_{};    // of the splats packed as SPZ, if there are any
};

}  // namespace

bool looks_like_gltf(std::string_view start) {
  if (start.starts_with("glTF")) return true;
  const size_t first = start.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && start[first] == '{' && start.find("\"asset\"") != std::string_view::npos &&
         (start.find("\"accessors\"") != std::string_view::npos || start.find("\"meshes\"") != std::string_view::npos ||
          start.find("\"buffers\"") != std::string_view::npos);
}

Result<SplatFile> read_gltf(ByteStream& stream) {
  SPLAT_ASSIGN_OR_RETURN(const GltfDocument document, GltfDocument::open(stream));
  return GltfReader(document).read();
}

}  // namespace io
