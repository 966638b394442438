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

// All of them. One that fails does not keep the others from being trained; the sentence has what each says.
Outcome train_blocks(const City& city, const Options& options, const BlocksWatch& watch = {});

}  // namespace app
