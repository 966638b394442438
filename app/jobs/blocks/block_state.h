// block.json: how far one block of a city is. Whoever trains it writes the file, whole at every change; all others know
// the block from the files alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs/blocks/city.h"

namespace app {

struct BlockState {
  enum class Stage { kWaiting, kRunning, kStopped, kFailed, kDone };  // stopped: killed or interrupted, goes on

  Stage stage = Stage::kWaiting;
  std::string plan;  // City::stamp
  std::string why;   // it failed
  int iteration = 0, iterations = 0;
  uint64_t splats = 0;  // of a finished block as many as its file has
  uint64_t peak_rss_bytes = 0;
  double seconds = 0;          // training, of all processes that worked on it
  std::optional<double> psnr;  // of its held-out views, dB
  std::string splat_file;      // of a finished block, below its folder

  friend bool operator==(const BlockState&, const BlockState&) = default;
};

const char* name_of(BlockState::Stage stage);
nlohmann::json to_json(const BlockState& state);

// What the files say. An error where they are another plan's, damaged, or belong to no block at all.
splat::Result<BlockState> read_block(const City& city, size_t block);
std::vector<BlockState> read_blocks(const City& city);  // of all; what cannot be read has failed, and says why
splat::Status write_block(const City& city, size_t block, const BlockState& state);

}  // namespace app
