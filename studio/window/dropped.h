// Files that are dropped on the window together: what is opened, and what is not.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "studio/names.h"

namespace studio {

struct Dropped {
  std::filesystem::path first;              // is opened; of photos alone their folder; empty: nothing can be
  std::vector<std::filesystem::path> more;  // splats that join it, or all of the photos
  std::string problem;                      // what becomes of the rest, in one sentence; empty: there is none
};

// Splats go before datasets and videos, these before photos. One path is opened whatever it is.
// splats: endings of files that hold them, none: all but photos; opened: of all files that can be opened.
Dropped sorted(const std::vector<std::filesystem::path>& paths, const std::vector<std::string>& splats,
               const std::vector<std::string>& opened);

struct Workspace;
void drop(Workspace& work, const std::vector<std::filesystem::path>& paths);  // opens them, or says why not

// Whether Dropped::more are photos, which are opened together.
bool opens_photos(const std::vector<std::filesystem::path>& more);

}  // namespace studio
