// The settings of hipsplat blocks, and what its words mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/settings/row.h"

namespace app {

struct Options;

enum class BlocksAction { kPlan, kTrain, kMerge, kAll, kStatus };

// How a scene is cut into blocks.
struct BlocksSettings {
  int count = 0;                // of blocks; 0: by cameras
  int cameras = 300;            // of a block, at most, where `count` is 0
  int scaffold_iterations = 0;  // 0: chosen
  uint64_t memory = 0;          // bytes that a block may need in training; 0: not limited

  friend bool operator==(const BlocksSettings&, const BlocksSettings&) = default;
};

struct BlocksOptions : BlocksSettings {
  BlocksAction action = BlocksAction::kPlan;
  int block = 0;  // of hipsplat blocks train, from 0
};

// "8G", "500M", "1.5GB" or bytes, as Slurm has them but decimal; nothing where it is no size.
std::optional<uint64_t> parse_bytes(const std::string& text);
std::string size_text(uint64_t bytes);  // as parse_bytes() reads it back: "8G", "7900M"

const char* name_of(BlocksAction action);
splat::Status parse_blocks_action(const std::string& text, BlocksAction& action);
std::vector<std::string> blocks_actions();

void add_blocks_rows(std::vector<OptionRow>& rows, BlocksSettings& settings);

// The words after the action: the dataset or the city, and the number of a block. An error sentence where they are not
// what the action needs, or where an option was typed that is the plan's.
splat::Status settle_blocks(Options& options, std::vector<std::string>& words);

}  // namespace app
