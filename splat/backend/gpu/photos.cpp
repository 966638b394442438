#include "splat/backend/gpu/photos.h"

#include <algorithm>

#include "splat/core/check.h"

namespace splat::gpu {
namespace {

size_t bytes_of(const TrainingImage& image) { return image.rgb.size() + image.mask.size() + image.alpha.size(); }
size_t counted_pixels(const TrainingImage& image, size_t pixels) {
  return pixels - size_t(std::count(image.mask.begin(), image.mask.end(), uint8_t(0)));
}

}  // namespace

// As copy() lays them out.
Photos::OnDevice Photos::on_device(const Kept& kept, const uint8_t* at) {
  const uint8_t* const behind = at + 3 * kept.pixels;
  return {at, kept.masked ? behind : nullptr, kept.has_alpha ? behind + (kept.masked ? kept.pixels : 0) : nullptr,
          kept.counted, kept.background};
}

const Photos::Kept* Photos::find(uint64_t photo) const {
  for (const Kept& kept : kept_)
    if (kept.photo == photo && photo != 0) return &kept;
  return nullptr;
}

// Null where there is none: the device's memory then serves the splats.
Photos::Kept* Photos::room_for(uint64_t photo, size_t bytes) {
  if (photo == 0 || kept_bytes_ + bytes > limit_) return nullptr;
  Kept kept;
  try {
    kept.bytes.reserve_discarding(bytes);
  } catch (const DeviceError& error) {
    if (error.bytes_wanted == 0) throw;
    limit_ = kept_bytes_;
    return nullptr;
  }
  kept_bytes_ += bytes;
  kept.photo = photo;
  kept_.push_back(std::move(kept));
  return &kept_.back();
}

void Photos::copy(const TrainingImage& image, uint8_t* to, hipStream_t stream) {
  turn_ = 1 - turn_;
  host_[turn_].copied.wait();
  PinnedBuffer<uint8_t>& host = host_[turn_].bytes;
  host.reserve_discarding(bytes_of(image));
  uint8_t* at = host.data();
  for (const std::vector<uint8_t>* plane : {&image.rgb, &image.mask, &image.alpha})
    at = std::copy(plane->begin(), plane->end(), at);
  SPLAT_GPU_CHECK(hipMemcpyAsync(to, host.data(), bytes_of(image), hipMemcpyHostToDevice, stream));
  host_[turn_].copied.record(stream);
}

Photos::OnDevice Photos::send(const TrainingImage& image, uint64_t photo, size_t pixels, hipStream_t stream) {
  const bool masked = !image.mask.empty(), has_alpha = !image.alpha.empty(), given = !image.rgb.empty();
  const Kept* found = find(photo);
  SPLAT_CHECK(given || (found && found->pixels == pixels));
  if (found && found->pixels == pixels && (!given || (found->masked == masked && found->has_alpha == has_alpha)))
    return on_device(*found, found->bytes.data());
  Kept passing;
  Kept* const kept = found ? nullptr : room_for(photo, bytes_of(image));
  if (!kept) passing_.reserve_discarding(5 * pixels);
  uint8_t* const to = kept ? kept->bytes.data() : passing_.data();
  Kept& facts = kept ? *kept : passing;
  facts.pixels = pixels, facts.counted = counted_pixels(image, pixels);
  facts.masked = masked, facts.has_alpha = has_alpha;
  facts.background = image.background;
  copy(image, to, stream);
  return on_device(facts, to);
}

}  // namespace splat::gpu
