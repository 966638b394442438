#include "io/splats/gltf/gltf_unread.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "io/splats/gltf/gltf_extensions.h"
#include "io/text.h"

namespace io {

using nlohmann::json;

namespace {

constexpr std::string_view kSplats = "KHR_gaussian_splatting";
constexpr std::array<std::string_view, 3> kOnPrimitives{kSplats, "KHR_spz_gaussian_splats_compression",
                                                        "KHR_spz_compression"};

const json& member(const json& object, std::string_view key) {
  static const json none;
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found == object.end() ? none : *found;
}

template <class List>
bool is_one_of(std::string_view text, const List& list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// Without the prefix of the extension, or of its drafts: "ROTATION"; empty: none of its names.
std::string_view name_in_extension(std::string_view attribute) {
  for (const std::string_view prefix : {std::string_view("KHR_gaussian_splatting:"), std::string_view("_")})
    if (attribute.starts_with(prefix)) return attribute.substr(prefix.size());
  return {};
}

bool has_splats(const json& primitive) {
  const json& extensions = member(primitive, "extensions");
  for (const std::string_view name : kOnPrimitives)
    if (!member(extensions, name).is_null()) return true;
  for (const auto& [name, value] : member(primitive, "attributes").items())
    if (name_in_extension(name) == "ROTATION") return true;
  return false;
}

class Unread {
 public:
  explicit Unread(const json& root) : root_(root) {}

  std::vector<std::string> list() {
    for (const char* key : {"extensionsUsed", "extensionsRequired"})
      for (const json& name : member(root_, key))
        if (name.is_string()) add_extension(name.get_ref<const std::string&>());
    add_extensions_of(root_);
    for (const json& mesh : member(root_, "meshes"))
      for (const json& primitive : member(mesh, "primitives")) look_at(primitive);
    std::vector<std::string> parts;
    for (const std::string& name : extensions_) parts.push_back("the extension " + in_quotes(name));
    for (const std::string& name : attributes_) parts.push_back("the attribute " + in_quotes(name));
    for (const std::string& what : settings_) parts.push_back(what);
    add_count(without_splats_, "part of a mesh without splats", "parts of meshes without splats", parts);
    add_count(count_of("cameras"), "camera", "cameras", parts);
    add_count(count_of("animations"), "animation", "animations", parts);
    add_count(count_of("skins"), "skin", "skins", parts);
    add_count(std::max<size_t>(count_of("scenes"), 1) - 1, "other scene", "other scenes", parts);
    return parts;
  }

 private:
  size_t count_of(const char* key) const {
    const json& list = member(root_, key);
    return list.is_array() ? list.size() : 0;
  }

  static void add_count(size_t count, const char* one, const char* many, std::vector<std::string>& parts) {
    if (count > 0) parts.push_back(std::to_string(count) + " " + (count == 1 ? one : many));
  }

  void add_extension(const std::string& name) {
    if (!reads_gltf_extension(name, GltfUse::kSplats)) extensions_.insert(name);
  }
  void add_extensions_of(const json& object) {
    const json& extensions = member(object, "extensions");
    if (!extensions.is_object()) return;
    for (const auto& [name, value] : extensions.items()) add_extension(name);
  }

  void look_at(const json& primitive) {
    if (!has_splats(primitive)) {
      ++without_splats_;
      return;
    }
    add_extensions_of(primitive);
    for (const auto& [name, value] : member(primitive, "attributes").items()) {
      const std::string_view own = name_in_extension(name);
      constexpr std::array<std::string_view, 3> kRead{"ROTATION", "SCALE", "OPACITY"};
      if (name != "POSITION" && name != "COLOR_0" && !is_one_of(own, kRead) && !own.starts_with("SH_DEGREE_"))
        attributes_.insert(name);
    }
    if (!member(primitive, "targets").is_null()) settings_.insert("morph targets");
    const json& splats = member(member(primitive, "extensions"), kSplats);
    add_extensions_of(splats);
    for (const auto& [key, usual] : {std::pair("kernel", "ellipse"), {"projection", "perspective"}})
      if (const json& value = member(splats, key); value.is_string() && value != usual)
        settings_.insert("the " + std::string(key) + " " + in_quotes(value.get<std::string>()));
    const json& colours = member(splats, "colorSpace");
    if (colours.is_string() && colours != "srgb_rec709_display" && colours != "lin_rec709_display")
      settings_.insert("the colorSpace " + in_quotes(colours.get<std::string>()));
  }

  const json& root_;
  std::set<std::string> extensions_, attributes_, settings_;
  size_t without_splats_ = 0;
};

}  // namespace

std::vector<std::string> unread_parts_of_gltf(const json& root) { return Unread(root).list(); }

}  // namespace io
