// The cells of a plan, and what each block is trained on: by cameras and by the memory that a job may use.
#pragma once

#include "app/jobs/blocks/city.h"
#include "app/jobs/blocks/watch.h"
#include "app/jobs/outcome.h"
#include "app/settings/options.h"

namespace app {

// The iterations of a block with this share of the photos, if the whole were trained for `whole`: photos are drawn as
// often.
int iterations_of(int whole, size_t photos, size_t all_photos);

// As many blocks as --block-count, or --block-cameras, demands; more where they would need too much memory.
size_t block_count(const BlocksOptions& options, size_t cameras);

// City::ground, bounds, margin and the cells of its blocks, from the cameras alone.
Outcome cut_by_cameras(const Options& options, const splat::Dataset& dataset, City& city);

// The views of each block, by their shares of the scaffold's pictures, its iterations and the memory that it takes at
// most. A cell whose block would need more than --block-memory is halved until none does; an error where that does not
// help. Cost: a small view drawn and walked through twice for each, in every round, on the device of the options.
Outcome fill_blocks(const Options& options, const splat::Dataset& dataset, const splat::Gaussians& scaffold,
                    const BlocksWatch& watch, City& city);

// Likewise before there is a scaffold, of which this many splats are expected: of each block only the photos that were
// taken in it and its margin. With the others that show it, there may be more blocks. Cost: none worth a name.
Outcome fill_blocks_by_cameras(const Options& options, const splat::Dataset& dataset, uint64_t scaffold_splats,
                               City& city);

// What a job asks for: the prediction and a tenth.
uint64_t requested_bytes(const Block& block);

}  // namespace app
