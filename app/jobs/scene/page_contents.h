// What a web page gets beside its splats (io/splats/html/): the views of their photos, and what they were drawn over.
#pragma once

#include <filesystem>

#include "io/splats/common/page.h"
#include "splat/model/dataset.h"
#include "splat/model/gaussians.h"
#include "splat/model/transform.h"
#include "splat/path/camera_path.h"

namespace app {

// From the run that the file of splats belongs to; nothing where there is none. Cost: trained_scene_of().
io::PageContents page_contents(const std::filesystem::path& splats, const splat::Gaussians& model, int threads);
std::vector<io::NamedView> page_views(const splat::Dataset& dataset);

// 30 poses a second, of a long path fewer: a page stays small. Without keys: none.
io::PagePath page_path(const splat::CameraPath& path);

// Along with the splats.
void move_page(io::PageContents& page, const splat::Similarity& to_from);

}  // namespace app
