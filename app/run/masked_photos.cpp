#include "app/run/masked_photos.h"

#include <algorithm>
#include <utility>

namespace app {
namespace {

class MaskedPhotos final : public splat::ImageSource {
 public:
  MaskedPhotos(std::unique_ptr<splat::ImageSource> photos, PhotoMask mask)
      : photos_(std::move(photos)), mask_(std::move(mask)) {}

  splat::Result<const splat::TrainingImage*> get(int view) override {
    SPLAT_ASSIGN_OR_RETURN(const splat::TrainingImage* photo, photos_->get(view));
    const size_t pixels = size_t(photo->width) * size_t(photo->height);
    counts_.assign(pixels, 255);
    mask_(view, photo->width, photo->height, counts_);
    if (std::find(counts_.begin(), counts_.end(), 0) == counts_.end()) return photo;
    masked_ = *photo;
    for (size_t p = 0; p < photo->mask.size(); ++p) counts_[p] = std::min(counts_[p], photo->mask[p]);
    for (size_t p = 0; p < photo->depth.size(); ++p)
      if (counts_[p] == 0) masked_.depth[p] = 0;
    std::swap(masked_.mask, counts_);
    return &masked_;
  }
  void prefetch(std::span<const int> upcoming) override { photos_->prefetch(upcoming); }

 private:
  std::unique_ptr<splat::ImageSource> photos_;
  PhotoMask mask_;
  std::vector<uint8_t> counts_;  // kept for its memory
  splat::TrainingImage masked_;
};

}  // namespace

std::unique_ptr<splat::ImageSource> masked_photos(std::unique_ptr<splat::ImageSource> photos, PhotoMask mask) {
  return std::make_unique<MaskedPhotos>(std::move(photos), std::move(mask));
}

}  // namespace app
