// Where results go that somebody saves: the one owner of that question, for runs, films, pages, splats, meshes, masks,
// paths and pictures. Some file operations; a probe is written and removed.
#pragma once

#include <filesystem>
#include <set>
#include <vector>

#include "studio/names.h"

namespace studio {

// ~/hipsplat; where there is no home or it cannot be written, a folder where everybody may write. Not made yet.
std::filesystem::path home_of_results();
bool is_lost_at_the_next_start(const std::filesystem::path& folder);  // of the machine: below the temporary folder

bool takes_results(const std::filesystem::path& folder);  // it is there, can be written and has room

// For the masks of a dataset that cannot be written itself; its own for each dataset. Not made yet.
std::filesystem::path masks_place(const std::filesystem::path& dataset);

// The first of these folders that takes results and was not refused before, else home_of_results(), which is made.
std::filesystem::path place_for_results(const std::vector<std::filesystem::path>& wanted,
                                        const std::set<std::filesystem::path>& refused);

}  // namespace studio
