// hipsplat blocks train and all: one block, with its margin, amid the rest of the scaffold; and one after another.
#pragma once

#include "app/jobs/blocks/block_state.h"
#include "app/jobs/blocks/watch.h"
#include "app/jobs/outcome.h"
#include "app/settings/options.h"

namespace app {

// Goes on where an earlier process stopped; a block that is done stays as it is. `options`: of the device and the
// console; all else is the plan's.
Outcome train_block(const City& city, size_t block, const Options& options, const BlocksWatch& watch = {});

// Trains all blocks, one after another. If a block fails, the others are trained all the same; the outcome's sentence
// names every failure.
Outcome train_blocks(const City& city, const Options& options, const BlocksWatch& watch = {});

}  // namespace app
