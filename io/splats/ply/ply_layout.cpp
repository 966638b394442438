#include "io/splats/ply/ply_layout.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string_view>

#include "io/names.h"
#include "io/splats/common/codec.h"
#include "io/text.h"

namespace io {

namespace {

constexpr std::array<std::string_view, 4> kGroups{"f_dc_", "opacity", "scale_", "rot_"};

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// A name that reading splats asks for.
bool is_splat_name(std::string_view name) {
  if (name == "opacity" || name == "filter_3D") return true;
  for (const std::string_view prefix : {"f_dc_", "f_rest_", "scale_", "rot_"})
    if (name.starts_with(prefix) && is_number(name.substr(prefix.size()))) return true;
  return name.size() == 1 && name[0] >= 'x' && name[0] <= 'z';
}

// CloudCompare writes what it does not know as scalar_NAME, cuts that to scal_NAME, and again at the next turn.
std::string_view without_prefixes(std::string_view name) {
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view prefix : {"scalar_", "scal_"})
      if (name.starts_with(prefix)) {
        name.remove_prefix(prefix.size());
        found = true;
      }
  }
  return name;
}

void rename_properties(PlyElement& vertices) {
  for (PlyProperty& property : vertices.properties) {
    const std::string bare(without_prefixes(property.name));
    if (bare != property.name && is_splat_name(bare) && vertices.find(bare) < 0) property.name = bare;
  }
}

bool has_any(const PlyElement& vertices, std::string_view prefix) {
  return std::any_of(vertices.properties.begin(), vertices.properties.end(),
                     [&](const PlyProperty& property) { return property.name.starts_with(prefix); });
}

bool is_codebook(const PlyHeader& header) {
  return header.find("codebook_centers") || (header.find("vertex_0") && !header.find("vertex"));
}

// Files of relatives of 3DGS that hold no splats yet.
Status check_relatives(const PlyHeader& header, const std::string& name) {
  if (is_codebook(header))
    return Error{"'" + name +
                 "' is a PLY of reduced-3dgs, with splats as numbers into tables (codebook_centers), which hipsplat "
                 "does not read yet; save it there as a plain PLY"};
  const PlyElement* vertices = header.find("vertex");
  if (vertices && (has_any(*vertices, "f_anchor_feat") || has_any(*vertices, "f_offset")))
    return Error{"'" + name +
                 "' holds anchors (f_offset, f_anchor_feat) of Scaffold-GS or a relative of it, no splats: these are "
                 "made for each view by neural networks that are kept beside the file"};
  return {};
}

Status check_is_splat(const PlyElement& vertices, const ColourProperties& colours, const std::string& name) {
  std::vector<std::string> missing, groups;
  const auto need = [&](const std::string& property) {
    if (vertices.find(property) < 0) missing.push_back(property);
  };
  for (const char* property : {"x", "y", "z"}) need(property);
  const bool colour = colours.found() || has_any(vertices, "f_dc_");
  if (!colours.found())
    for (const char* property : {"f_dc_0", "f_dc_1", "f_dc_2"}) need(property);
  for (const char* property : {"opacity", "scale_0", "scale_1", "rot_0", "rot_1", "rot_2", "rot_3"}) need(property);
  if (missing.empty()) return {};
  for (const std::string_view group : kGroups)
    if (group != kGroups[0] && has_any(vertices, group))
      groups.push_back(group.ends_with('_') ? std::string(group) + "*" : std::string(group));
  if (groups.empty() && !has_any(vertices, kGroups[0]))
    return Error{
        "'" + name +
        "' is not a splat file: it holds a point cloud or mesh (no opacity, scale_0, rot_0, f_dc_0), from which "
        "splats have yet to be trained"};
  if (colour) groups.insert(groups.begin(), colours.found() ? "red, green, blue" : "f_dc_*");
  return Error{"'" + name + "' is not a usable splat file: it has " + first_names(groups) +
               ", but lacks the properties " + first_names(missing) +
               (colour ? "" : " (or red, green, blue), which are its colours")};
}

// Splats of other kinds, by a property that ours do not have: a whole name, or the beginning of one where it ends in _.
struct Relative {
  std::array<std::string_view, 3> marks;
  const char* what;
};
constexpr std::array<Relative, 6> kRelatives{{
    {{"motion_", "trbf_", "omega_"},
     "the splats move (Spacetime Gaussians): they are shown as at one time, each in the middle of its own"},
    {{"scale_t", "scaling_t", "rot_r_"},
     "the splats have an extent in time (4D Gaussians): they are shown as at one time, as if all were there"},
    {{"sg_", "sg_", "sg_"}, "the colours have spherical Gaussians beside the harmonics, which are left out"},
    {{"sb_params_", "sb_params_", "beta"},
     "the splats are Beta kernels (Deformable Beta Splatting); they are drawn as Gaussians, which look softer"},
    {{"shape", "shape_", "shape_strength"},
     "the splats are generalised exponentials (GES); they are drawn as Gaussians"},
    {{"f_t_", "f_time_", "deformation_"}, "the splats change in time: they are shown as at one time"},
}};

void warn_of_relatives(const PlyElement& vertices, std::vector<std::string>& warnings) {
  for (const Relative& relative : kRelatives) {
    const auto is_mark = [&](const PlyProperty& property) {
      return std::any_of(relative.marks.begin(), relative.marks.end(), [&](std::string_view mark) {
        return mark.ends_with('_') ? std::string_view(property.name).starts_with(mark) : property.name == mark;
      });
    };
    const auto found = std::find_if(vertices.properties.begin(), vertices.properties.end(), is_mark);
    if (found != vertices.properties.end())
      warnings.push_back("by its property '" + found->name + "', " + relative.what);
  }
}

// SHARP (Apple's ml-sharp) writes its camera and its frame as elements behind the splats.
void look_for_sharp(const PlyHeader& header, PlySplatLayout& layout) {
  if (!header.find("extrinsic") || !header.find("intrinsic") || !header.find("disparity")) return;
  layout.low_pass = 0;
  layout.warnings.push_back(
      "the file is SHARP's: its splats lie as the camera of its photo saw them (x right, y down, z forward, metres), "
      "and that camera (extrinsic, intrinsic, image_size) is not read; as there, no low pass widens those below a "
      "pixel (--low-pass 0.3 does)");
}

// "motion_0 to motion_8" for names that count up.
std::vector<std::string> in_runs(const std::vector<std::string>& names) {
  std::vector<std::string> runs;
  for (size_t i = 0; i < names.size();) {
    const size_t digits = names[i].find_last_not_of("0123456789") + 1;
    const std::string stem = names[i].substr(0, digits);
    uint64_t number = 0;
    size_t end = i + 1;
    if (parse_number(std::string_view(names[i]).substr(digits), number))
      while (end < names.size() && names[end] == stem + std::to_string(number + (end - i))) ++end;
    runs.push_back(end - i > 2 ? names[i] + " to " + names[end - 1] : names[i]);
    i = end - i > 2 ? end : i + 1;
  }
  return runs;
}

}  // namespace

ColourProperties find_colours(const PlyElement& vertices) {
  constexpr std::array<std::array<const char*, 3>, 3> kNames{
      {{"red", "green", "blue"}, {"diffuse_red", "diffuse_green", "diffuse_blue"}, {"r", "g", "b"}}};
  for (const auto& names : kNames) {
    ColourProperties colours;
    for (size_t i = 0; i < 3; ++i) colours.property[i] = vertices.find(names[i]);
    if (!colours.found()) continue;
    const PlyScalar type = vertices.properties[size_t(colours.property[0])].type;
    if (type == PlyScalar::kFloat32 || type == PlyScalar::kFloat64) colours.scale = 255;
    if (type == PlyScalar::kUint16 || type == PlyScalar::kInt16) colours.scale = 255.0f / 65535.0f;
    return colours;
  }
  return {};
}

float ColourProperties::scale_of(std::span<const float> values, size_t stride) const {
  constexpr float kBeyondOne = 8;
  constexpr size_t kFewBrighter = 100;  // up to 1 / kFewBrighter of the values: lights brighter than white
  size_t counted = 0, beyond = 0;
  const bool floats = scale == 255;
  if (!floats && scale == 1) return scale;
  for (size_t row = 0; row < values.size(); row += stride)
    for (size_t c = 0; c < 3; ++c, ++counted) beyond += values[row + c] > (floats ? kBeyondOne : 255);
  if (floats) return beyond * kFewBrighter > counted ? 1 : scale;
  return beyond == 0 ? 1 : scale;
}

bool has_splat_properties(PlyHeader header) {
  if (!check_relatives(header, {})) return true;
  for (PlyElement& vertices : header.elements) {
    if (vertices.name != "vertex") continue;
    rename_properties(vertices);
    return std::count_if(kGroups.begin(), kGroups.end(),
                         [&](std::string_view group) { return has_any(vertices, group); }) >= 2;
  }
  return false;
}

Result<PlySplatLayout> splat_layout(PlyHeader& header, const std::string& name) {
  SPLAT_TRY(check_relatives(header, name));
  for (PlyElement& element : header.elements)
    if (element.name == "vertex") rename_properties(element);
  PlySplatLayout layout;
  layout.vertices = header.find("vertex");
  if (!layout.vertices) return Error{"'" + name + "' has no element 'vertex': it holds neither splats nor points"};
  const PlyElement& vertices = *layout.vertices;
  if (!has_any(vertices, kGroups[0])) layout.colours = find_colours(vertices);
  SPLAT_TRY(check_is_splat(vertices, layout.colours, name));
  if (const auto rest = find_rest(vertices, name))
    layout.rest = *rest;
  else
    layout.odd_rest = rest.error().message;
  layout.filter = vertices.find("filter_3D");
  layout.flat = vertices.find("scale_2") < 0;
  if (layout.filter >= 0)
    layout.warnings.push_back(
        "the 3D filter of Mip-Splatting (filter_3D) is folded into the scales and opacities; its renderer also draws "
        "with a 2D filter, which --antialias comes near to");
  warn_of_relatives(vertices, layout.warnings);
  look_for_sharp(header, layout);
  return layout;
}

void to_coefficients(const ColourProperties& colours, Gaussians& model) {
  const size_t stride = size_t(model.coefficients()) * 3;
  const float scale = colours.scale_of(model.sh, stride);
  for (size_t row = 0; row < model.size(); ++row)
    for (size_t c = 0; c < 3; ++c) {
      float& value = model.sh[row * stride + c];
      value = (value * scale / 255.0f - 0.5f) / kSh0;
    }
}

void fold_in_filter(const std::vector<float>& filter, Gaussians& model) {
  for (size_t row = 0; row < model.size(); ++row) {
    const double f = filter[row];
    double log_share = 0;  // of the opacity that stays: sqrt(det before / det after)
    for (size_t c = 0; c < 3; ++c) {
      float& scale = model.log_scales[3 * row + c];
      const double before = scale, after = 0.5 * std::log(std::exp(2 * before) + f * f);
      scale = float(after);
      log_share += before - after;
    }
    float& logit = model.logit_opacities[row];
    const double log_opacity = std::min(log_share, 0.0) - std::log1p(std::exp(-double(logit)));
    if (f != 0) logit = float(log_opacity - std::log(-std::expm1(log_opacity)));
  }
}

namespace {

// Beside colours, and normals: INRIA's are always 0, and round splats have none.
std::vector<std::string> unread_beside(const PlyHeader& header, const PlyElement& vertices,
                                       const ColourProperties& colours,
                                       const std::function<bool(const std::string&)>& is_read) {
  std::vector<std::string> names;
  for (size_t i = 0; i < vertices.properties.size(); ++i) {
    const std::string& name = vertices.properties[i].name;
    const bool is_colour =
        std::find(colours.property.begin(), colours.property.end(), int(i)) != colours.property.end();
    if (!is_colour && name != "nx" && name != "ny" && name != "nz" && !is_read(name)) names.push_back(name);
  }
  names = in_runs(names);
  for (const PlyElement& element : header.elements)
    if (&element != &vertices && element.count > 0) names.push_back("the element " + in_quotes(element.name));
  return names;
}

}  // namespace

std::vector<std::string> unread_parts(const PlyHeader& header, const PlySplatLayout& layout) {
  return unread_beside(header, *layout.vertices, layout.colours, [&](const std::string& name) {
    if (name.starts_with("f_rest_")) return layout.rest.degree > 0;
    if (name.starts_with("scale_") || name.starts_with("rot_") || name.starts_with("f_dc_"))
      return is_splat_name(name) && name.back() < (name[0] == 'r' ? '4' : '3') && name[name.size() - 2] == '_';
    return is_splat_name(name);
  });
}

std::vector<std::string> unread_beside_points(const PlyHeader& header, const PlyElement& vertices) {
  return unread_beside(header, vertices, find_colours(vertices),
                       [](const std::string& name) { return name == "x" || name == "y" || name == "z"; });
}

}  // namespace io
