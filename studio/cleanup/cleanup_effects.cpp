#include "studio/cleanup/cleanup_effects.h"

#include <algorithm>

#include "splat/edit/edited_model.h"

namespace studio {

namespace edit = splat::edit;

namespace {

std::vector<uint8_t> rows_with(const std::vector<uint8_t>& states, uint8_t bits) {
  std::vector<uint8_t> rows(states.size());
  std::transform(states.begin(), states.end(), rows.begin(), [&](uint8_t state) { return (state & bits) != 0; });
  return rows;
}

}  // namespace

void CleanupEffects::forget() {
  uploaded_ = 0;
  psnr_before_.reset();
}

std::optional<CleanupEffect> CleanupEffects::measure(CleaningPhotos& photos, const Asked& asked) {
  if (asked.model) {
    forget();
    photos.upload(*asked.model);
    uploaded_ = asked.revision + 1;
  }
  if (!has(asked.revision) || photos.held_out() == 0) return {};
  std::vector<uint8_t> deleted = rows_with(asked.states, edit::kDeleted);
  if (!psnr_before_ || deleted != deleted_) {
    const auto before = photos.psnr_without(deleted);
    if (!before) return {};
    psnr_before_ = *before, deleted_ = std::move(deleted);
  }
  const auto after = photos.psnr_without(rows_with(asked.states, edit::kDeleted | edit::kSelected));
  if (!after) return {};
  return CleanupEffect{*psnr_before_, *after, asked.scene};
}

}  // namespace studio
