// Splat files that join the one that is open, as objects of its scene.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/read_watch.h"
#include "io/scene_json.h"
#include "splat/core/result.h"
#include "splat/edit/edited_state.h"
#include "splat/model/gaussians.h"
#include "splat/model/screen_filter.h"
#include "studio/edit/kept_edits.h"

namespace studio {

struct AddedSplats {
  splat::Gaussians model;  // in the frame of the scene
  splat::edit::AddedFile file;
  std::string name;  // of the object: that of the file without its ending
  std::vector<std::string> warnings;
};

// frame, filter: of the scene.
splat::Result<AddedSplats> read_added(const std::filesystem::path& path, const io::SceneFrame& frame,
                                      const splat::ScreenFilter& filter, int threads, io::ReadWatch* watch = nullptr);

// The files that kept edits added, once more. An error where one has gone or changed since.
splat::Result<std::vector<splat::Gaussians>> read_added_again(const KeptEdits& kept, const io::SceneFrame& frame,
                                                              int threads);

}  // namespace studio
