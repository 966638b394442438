#include "io/splats/gltf/gltf_extensions.h"

#include <algorithm>
#include <array>
#include <string>

#include "io/text.h"

namespace io {

using nlohmann::json;
using splat::Status;

namespace {

constexpr std::array<std::string_view, 3> kOfBoth{"KHR_mesh_quantization", "EXT_meshopt_compression",
                                                  "KHR_meshopt_compression"};
constexpr std::array<std::string_view, 7> kOfSplats{"KHR_gaussian_splatting",
                                                    "KHR_gaussian_splatting_compression_spz",
                                                    "KHR_gaussian_splatting_compression_spz_2",
                                                    "KHR_spz_gaussian_splats_compression",
                                                    "KHR_spz_compression",
                                                    "EXT_mesh_gpu_instancing",
                                                    "CESIUM_RTC"};
constexpr std::array<std::string_view, 25> kOfLooks{"KHR_materials_anisotropy",
                                                    "KHR_materials_clearcoat",
                                                    "KHR_materials_diffuse_transmission",
                                                    "KHR_materials_dispersion",
                                                    "KHR_materials_emissive_strength",
                                                    "KHR_materials_ior",
                                                    "KHR_materials_iridescence",
                                                    "KHR_materials_pbrSpecularGlossiness",
                                                    "KHR_materials_sheen",
                                                    "KHR_materials_specular",
                                                    "KHR_materials_subsurface",
                                                    "KHR_materials_transmission",
                                                    "KHR_materials_unlit",
                                                    "KHR_materials_variants",
                                                    "KHR_materials_volume",
                                                    "KHR_materials_volume_scatter",
                                                    "KHR_texture_basisu",
                                                    "KHR_texture_transform",
                                                    "EXT_texture_avif",
                                                    "EXT_texture_webp",
                                                    "KHR_lights_punctual",
                                                    "EXT_lights_ies",
                                                    "EXT_lights_image_based",
                                                    "KHR_xmp",
                                                    "KHR_xmp_json_ld"};

template <class List>
bool is_in(std::string_view name, const List& list) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

bool reads_gltf_extension(std::string_view name, GltfUse use) {
  return is_in(name, kOfBoth) || (use == GltfUse::kSplats && is_in(name, kOfSplats));
}

Status check_required_extensions(const GltfDocument& document, GltfUse use) {
  const auto required = document.root().find("extensionsRequired");
  if (required == document.root().end() || !required->is_array()) return {};
  for (const json& name : *required) {
    if (!name.is_string()) continue;
    const std::string& text = name.get_ref<const std::string&>();
    if (text == "KHR_draco_mesh_compression")
      return document.error(
          "is compressed by Draco (KHR_draco_mesh_compression), which hipsplat does not read; "
          "export it uncompressed");
    if (reads_gltf_extension(text, use) || is_in(text, kOfLooks)) continue;
    return document.error("requires the extension " + in_quotes(text) + ", which hipsplat does not " +
                          (use == GltfUse::kMeshes ? "read in meshes" : "know") + "; export it without");
  }
  return {};
}

}  // namespace io
