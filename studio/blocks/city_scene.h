// A scene in blocks as the window shows it: the splats of a part, the photos of all, the boxes of its cells. How far
// the blocks are comes from their files, by the code that hipsplat blocks status reads them with.
#pragma once

#include <vector>

#include "app/jobs/blocks/city.h"
#include "studio/blocks/messages.h"
#include "studio/documents/opening.h"

namespace studio {

// Where the splats of a part are (kCityScaffold ...), of a block its newest; empty: there are none yet.
std::filesystem::path file_of_part(const City& city, int part);

// With the cameras and photos that the plan was made of. Cost: one header read per photo.
splat::Result<OpenedSplatFile> open_city_part(const City& city, int part, splat::ThreadPool& pool,
                                              io::ReadWatch& watch);

// The cells as boxes: from below nearly all of the model to above the cameras; those without an end to a bit beyond the
// cameras.
std::vector<CityBox> boxes_of(const City& city, const OpenedSplats& opened);

// What its files say: not `boxes`, nor what this window shows and does.
CityScene city_scene(const City& city);

}  // namespace studio
