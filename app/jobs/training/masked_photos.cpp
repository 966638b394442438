#include "app/jobs/training/masked_photos.h"

#include <array>
#include <cstring>
#include <map>
#include <utility>

namespace app {
namespace {

// A byte of 0 or 255 for each bit of a byte, the lowest first.
constexpr std::array<uint64_t, 256> kSpread = [] {
  std::array<uint64_t, 256> spread{};
  for (uint64_t byte = 0; byte < 256; ++byte)
    for (uint64_t bit = 0; bit < 8; ++bit)
      if (byte >> bit & 1) spread[byte] |= uint64_t(255) << (8 * bit);
  return spread;
}();

// Which pixels of a photo count, a bit each; empty: all do.
struct Bits {
  int width = 0, height = 0;
  std::vector<uint8_t> of_eight;
};

class MaskedPhotos final : public splat::ImageSource {
 public:
  MaskedPhotos(std::unique_ptr<splat::ImageSource> photos, PhotoMask mask)
      : photos_(std::move(photos)), mask_(std::move(mask)) {}

  splat::Result<splat::TrainingImage*> get(int view) override {
    if (lent_) std::swap(lent_->mask, bytes_);
    lent_ = nullptr;
    SPLAT_ASSIGN_OR_RETURN(splat::TrainingImage * photo, photos_->get(view));
    const Bits& bits = bits_of(view, *photo);
    if (bits.of_eight.empty()) return photo;
    spread(bits, size_t(photo->width) * size_t(photo->height));
    for (size_t p = 0; p < photo->depth.size(); ++p)
      if (bytes_[p] == 0) photo->depth[p] = 0;
    std::swap(photo->mask, bytes_);
    lent_ = photo;
    return photo;
  }
  void prefetch(std::span<const int> upcoming) override { photos_->prefetch(upcoming); }

 private:
  const Bits& bits_of(int view, const splat::TrainingImage& photo) {
    Bits& bits = bits_[view];
    if (bits.width == photo.width && bits.height == photo.height) return bits;
    const size_t pixels = size_t(photo.width) * size_t(photo.height);
    std::vector<uint8_t> counts(pixels, 255);
    mask_(view, photo.width, photo.height, counts);
    bits = {photo.width, photo.height, {}};
    if (std::memchr(counts.data(), 0, pixels) == nullptr) return bits;
    bits.of_eight.resize((pixels + 7) / 8);
    for (size_t p = 0; p < pixels; ++p)
      if (counts[p] != 0 && photo.counts(p)) bits.of_eight[p / 8] |= uint8_t(1u << p % 8);
    return bits;
  }
  void spread(const Bits& bits, size_t pixels) {
    bytes_.resize((pixels + 7) / 8 * 8);
    for (size_t i = 0; i < bits.of_eight.size(); ++i) std::memcpy(&bytes_[8 * i], &kSpread[bits.of_eight[i]], 8);
    bytes_.resize(pixels);
  }

  std::unique_ptr<splat::ImageSource> photos_;
  PhotoMask mask_;
  std::map<int, Bits> bits_;  // by view
  // The mask of the photo that was given away, which has the photo's own in its place until the next one is asked for.
  splat::TrainingImage* lent_ = nullptr;
  std::vector<uint8_t> bytes_;
};

}  // namespace

std::unique_ptr<splat::ImageSource> masked_photos(std::unique_ptr<splat::ImageSource> photos, PhotoMask mask) {
  return std::make_unique<MaskedPhotos>(std::move(photos), std::move(mask));
}

}  // namespace app
