// What the window remembers of scenes, in a file: hipsplat/scenes.json in the XDG config folder, the newest
// kMostScenes of them. A scene is known by its path, and a file that was moved or renamed by its content.
#pragma once

#include <filesystem>
#include <string>

#include "splat/core/result.h"
#include "studio/documents/scene_memory.h"

namespace studio {

inline constexpr size_t kMostScenes = 200;

// Empty when the scene is not known, or the file is missing, damaged or another program's.
SceneMemory remembered_scene(const std::filesystem::path& config, const std::filesystem::path& scene);

// Replaces what was remembered of the scene; an empty memory forgets it. Keeps what other windows wrote meanwhile.
splat::Status remember_scene(const std::filesystem::path& config, const std::filesystem::path& scene,
                             const SceneMemory& memory);

// What a file is known by when it was moved or renamed; empty: not a file. Reads 128 KB of it.
std::string content_of(const std::filesystem::path& scene);

}  // namespace studio
