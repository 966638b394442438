// Photos of which some pixels do not count: what a mask takes away comes on top of the photos' own masks.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "splat/model/image.h"

namespace app {

// Sets counts[pixel] to 0, [H,W], wherever a photo of this view and size is not to count.
using PhotoMask = std::function<void(int view, int width, int height, std::vector<uint8_t>& counts)>;

// Masks are asked for once a view and kept, a bit a pixel; photos are passed on with theirs, not copied. Cost: about
// 0.1 ns a pixel of a photo with pixels that do not count.
std::unique_ptr<splat::ImageSource> masked_photos(std::unique_ptr<splat::ImageSource> photos, PhotoMask mask);

}  // namespace app
