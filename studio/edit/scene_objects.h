// The objects of the scene that is edited, as the window knows them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/core/result.h"
#include "splat/edit/edited_model.h"
#include "studio/edit/edit_request.h"

namespace studio {

// An error: they do not fit.
splat::Result<Refined> refined(const RefineObject& wanted, const splat::edit::EditedModel& edited,
                               splat::ThreadPool& pool);

std::string object_name(const std::filesystem::path& file);  // of one that nobody has named: without the ending

// For the window: names that no one has given are those of the file, or of the part's number.
std::vector<SceneObject> scene_objects(const splat::edit::EditedModel& edited, const std::filesystem::path& splats,
                                       const std::vector<size_t>& rows);

}  // namespace studio
