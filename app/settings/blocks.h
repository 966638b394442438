// The options of hipsplat blocks, and what its words mean.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/settings/row.h"

namespace app {

struct Options;

enum class BlocksAction { kPlan, kTrain, kMerge, kAll, kStatus };

struct BlocksOptions {
  BlocksAction action = BlocksAction::kPlan;
  int block = 0;                // of hipsplat blocks train, from 0
  int count = 0;                // blocks of the plan; 0: by cameras
  int cameras = 300;            // of a block, at most, where its number is not given
  int scaffold_iterations = 0;  // 0: chosen
  uint64_t memory = 0;          // bytes that a job may use; 0: not limited
};

// "8G", "500M", "1.5GB" or bytes, as Slurm has them but decimal; nothing where it is no size.
std::optional<uint64_t> parse_bytes(const std::string& text);

const char* name_of(BlocksAction action);
splat::Status parse_blocks_action(const std::string& text, BlocksAction& action);
std::vector<std::string> blocks_actions();

void add_blocks_rows(std::vector<OptionRow>& rows, BlocksOptions& blocks);

// The words after the action: the dataset or the city, and the number of a block. An error sentence where they are not
// what the action needs, or where an option was typed that is the plan's.
splat::Status settle_blocks(Options& options, std::vector<std::string>& words);

}  // namespace app
