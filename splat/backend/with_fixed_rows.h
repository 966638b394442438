// A backend whose model is trained amid splats that stay as they are: these are drawn, and hide and are hidden, but
// whoever uses this backend sees the rows of the model alone. So a trainer and its strategy need not know of them, and
// a checkpoint holds none. They are the first rows of the backend behind it (Backend::fix_rows).
#pragma once

#include <memory>

#include "splat/backend/backend.h"

namespace splat {

// `fixed` has any SH degree: it takes that of the models that are uploaded.
std::unique_ptr<Backend> with_fixed_rows(std::unique_ptr<Backend> backend, Gaussians fixed);

}  // namespace splat
