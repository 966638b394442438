#include "studio/blocks/city_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/jobs/input/run_folder.h"
#include "app/jobs/input/splat_input.h"
#include "app/jobs/scene/trained_scene.h"
#include "studio/documents/training_choices.h"

namespace studio {

namespace fs = std::filesystem;
using splat::Error;
using splat::Result;

namespace {

constexpr double kBeyond = 0.1;  // of the extent of the cameras, where a cell has no end

std::string name_of_part(int part) {
  if (part == kCityScaffold) return "the scaffold";
  return part == kCityMerged ? "the whole" : fmt::format("block {}", part);
}

// The photos as the blocks have them; the splats alone where they are gone.
TrainedScene photos_of(const City& city, int threads) {
  TrainedScene scene;
  Options options;
  if (const auto status = apply_settings(city.settings, "city.json", options); !status) {
    scene.warnings.push_back(status.error().message);
    return scene;
  }
  options.dataset.threads = threads;
  scene.background = splat::evaluation_background(options.train);
  auto dataset = io::load_dataset(city.dataset, options.dataset);
  if (!dataset) {
    scene.warnings.push_back(fmt::format("its photos cannot be shown: {}", dataset.error().message));
    return scene;
  }
  scene.cameras = photo_cameras(*dataset);
  scene.photos = std::move(*dataset);
  return scene;
}

// A range of heights over the ground.
struct Heights {
  double low = 0, high = 0;
};
Heights heights_of(const City& city, const OpenedSplats& opened) {
  const Bounds& b = opened.bounds;
  std::vector<double> model;
  for (int corner = 0; corner < 8 && !b.empty(); ++corner)
    model.push_back(city.ground.height(
        {corner & 1 ? b.high.x : b.low.x, corner & 2 ? b.high.y : b.low.y, corner & 4 ? b.high.z : b.low.z}));
  std::vector<double> cameras;
  for (const PhotoCamera& camera : opened.cameras)
    cameras.push_back(city.ground.height(camera.view.cam_from_world.origin_in_source()));
  Heights heights;
  if (!model.empty()) heights.low = *std::min_element(model.begin(), model.end());
  if (!cameras.empty()) heights.high = *std::max_element(cameras.begin(), cameras.end());
  return heights;
}

}  // namespace

fs::path file_of_part(const City& city, int part) {
  std::error_code code;
  const fs::path merged = merged_city(city.folder);
  if (part == kCityMerged) return fs::exists(merged, code) ? merged : fs::path();
  if (part == kCityScaffold) return newest_result(city.scaffold_folder());
  return part >= 0 && size_t(part) < city.blocks.size() ? newest_result(city.block_folder(size_t(part))) : fs::path();
}

Result<OpenedSplatFile> open_city_part(const City& city, int part, splat::ThreadPool& pool, io::ReadWatch& watch) {
  const fs::path file = file_of_part(city, part);
  if (file.empty()) return Error{fmt::format("'{}': {} has no splats yet", city.folder.string(), name_of_part(part))};
  SPLAT_ASSIGN_OR_RETURN(SplatInput input, read_splat_input(file, pool.threads(), &watch));
  OpenedSplatFile opened = opened_with(std::move(input), photos_of(city, pool.threads()), file, pool);
  opened.for_window.city = city.folder;
  return opened;
}

std::vector<CityBox> boxes_of(const City& city, const OpenedSplats& opened) {
  const Heights heights = heights_of(city, opened);
  splat::blocks::Cell limits = city.bounds;
  for (size_t axis = 0; axis < 2; ++axis) {
    const double beyond = kBeyond * (city.bounds.high[axis] - city.bounds.low[axis]);
    limits.low[axis] -= beyond;
    limits.high[axis] += beyond;
  }
  std::vector<CityBox> boxes;
  for (const Block& block : city.blocks) {
    std::array<double, 2> low, high;
    for (size_t axis = 0; axis < 2; ++axis) {
      low[axis] = std::max(block.cell.low[axis], limits.low[axis]);
      high[axis] = std::min(block.cell.high[axis], limits.high[axis]);
    }
    const splat::blocks::Point2 corners[4] = {
        {low[0], low[1]}, {high[0], low[1]}, {high[0], high[1]}, {low[0], high[1]}};
    CityBox& box = boxes.emplace_back();
    for (size_t c = 0; c < 4; ++c) {
      box.floor[c] = viewer::vec3(city.ground.world(corners[c], heights.low));
      box.ceiling[c] = viewer::vec3(city.ground.world(corners[c], heights.high));
    }
  }
  return boxes;
}

CityScene city_scene(const City& city) {
  CityScene scene;
  scene.path = city.folder;
  scene.command = shell_line({"blocks", "all", city.folder.string()});
  scene.merged = !file_of_part(city, kCityMerged).empty();
  for (BlockState& state : read_blocks(city)) {
    const bool can_open = !file_of_part(city, int(scene.blocks.size())).empty();
    scene.blocks.push_back({std::move(state), can_open});
  }
  return scene;
}

}  // namespace studio
