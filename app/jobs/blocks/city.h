// city.json: a scene that is trained in blocks, as hipsplat blocks plan has cut it. With the folder it lies in and the
// dataset, whose place is kept relative to that folder and as it was, this is all that a job needs, on any machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/jobs/training/scene_part.h"
#include "splat/blocks/cells.h"
#include "splat/core/result.h"
#include "splat/model/screen_filter.h"

namespace app {

struct Block {
  splat::blocks::Cell cell;
  std::vector<std::string> views;  // trained on and held out, sorted
  size_t training_views = 0;       // of them
  uint64_t predicted_bytes = 0;    // of memory, at most
  int iterations = 0;
};

struct City {
  std::filesystem::path folder;   // where it lies; not in the file
  std::filesystem::path dataset;  // as a path that is good here
  std::string request;            // hash of the dataset and of all that was asked for
  nlohmann::json settings;        // of a block's run, as a --config file has them
  int scaffold_iterations = 0;
  int iterations = 0;  // of each block where they were given, else of the whole, of which blocks get a part
  splat::blocks::Ground ground;
  splat::blocks::Cell bounds;  // of the cameras
  double margin = 0;           // of a cell's sides, trained beside it
  std::array<double, 3> view_up{0, -1, 0};
  bool antialiased = false;
  float low_pass = splat::kUsualLowPass;  // px^2
  uint64_t scaffold_splats = 0;
  std::vector<Block> blocks;  // empty: the plan is not complete
  std::vector<ScenePart::Colour> colours;

  std::filesystem::path scaffold_folder() const { return folder / "scaffold"; }
  std::filesystem::path block_folder(size_t block) const;
  splat::blocks::Cell trained_cell(size_t block) const;  // with its margin
  // The hash of everything a block's result depends on, of a city that was read: what was trained for another plan is
  // recognised by it.
  std::string stamp;
};

std::string hash_text(std::string_view text);

// An error sentence where there is none, it is damaged, of a later version, or its dataset is nowhere to be found.
splat::Result<City> read_city(const std::filesystem::path& folder);
splat::Status write_city(const City& city);

}  // namespace app
