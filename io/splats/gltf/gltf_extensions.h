// Extensions of glTF by their whole names: KHR_gaussian_splatting_more is another one than KHR_gaussian_splatting.
#pragma once

#include <string_view>

#include "io/splats/gltf/gltf_document.h"
#include "splat/core/result.h"

namespace io {

enum class GltfUse { kSplats, kMeshes };

// Whether reading follows the extension.
bool reads_gltf_extension(std::string_view name, GltfUse use);

// glTF 2.0, 3.12: a file must not be shown by who does not know an extension that it requires. Those about materials,
// textures and lights say nothing about places: they are passed over.
splat::Status check_required_extensions(const GltfDocument& document, GltfUse use);

}  // namespace io
