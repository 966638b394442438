// What the window needs of a model, computed off the window's thread.
#pragma once

#include "splat/core/parallel.h"
#include "splat/model/gaussians.h"
#include "studio/documents/messages.h"

namespace studio {

// Sets everything in `opened` that follows from the splats alone, but for their packed form. Cost: a pass over them.
void describe_model(const splat::Gaussians& model, splat::ThreadPool& pool, OpenedSplats& opened);

PackedModel pack_model(const splat::Gaussians& model, splat::ThreadPool& pool);  // cost: a few passes

}  // namespace studio
