// Photos of which some pixels do not count: what a mask takes away comes on top of the photos' own masks.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "splat/model/image.h"

namespace app {

// Sets counts[pixel] to 0, [H,W], wherever a photo of this view and size is not to count.
using PhotoMask = std::function<void(int view, int width, int height, std::vector<uint8_t>& counts)>;

// Photos of which every pixel counts are passed on; of others there is one copy.
std::unique_ptr<splat::ImageSource> masked_photos(std::unique_ptr<splat::ImageSource> photos, PhotoMask mask);

}  // namespace app
