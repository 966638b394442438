#include "viewer/live/variant_drawer.h"

#include <algorithm>

#include "splat/core/check.h"
#include "splat/model/gaussian_rows.h"
#include "viewer/live/shown_states.h"

namespace viewer {
namespace {

constexpr size_t kRowsAtOnce = 16384;

std::vector<uint8_t> shown(std::span<const uint8_t> states) {
  std::vector<uint8_t> bits(states.size());
  std::transform(states.begin(), states.end(), bits.begin(), [](uint8_t state) { return state & kShownStates; });
  return bits;
}

bool same_states(const std::vector<uint8_t>& shown, std::span<const uint8_t> states) {
  const size_t rows = std::max(shown.size(), states.size());
  for (size_t row = 0; row < rows; ++row)
    if ((row < shown.size() ? shown[row] : 0) != (row < states.size() ? states[row] & kShownStates : 0)) return false;
  return true;
}

}  // namespace

splat::Status VariantDrawer::prepare(const DisplaySettings& settings, const splat::Gaussians& model) {
  return prepare(settings, model, {});
}

splat::Status VariantDrawer::prepare(const DisplaySettings& settings, const splat::Gaussians& model,
                                     std::span<const uint8_t> states) {
  if (!backend_) {
    SPLAT_ASSIGN_OR_RETURN(backend_, make_backend_());
  }
  const ModelVariant variant = variant_for(settings);
  const bool there = uploaded_ == variant;
  if (there && same_states(shown_, states)) return {};
  uploaded_.reset();  // an upload that throws leaves nothing to draw
  if (variant == ModelVariant{}) {
    if (!there) {
      shown_.clear();
      backend_->upload(model);
    }
    show(model, states);
  } else {
    splat::Gaussians made = make_variant(model, variant, colours_);
    if (!states.empty()) show_states(made, states, variant.kind != ModelKind::kPositions);
    backend_->upload(made);
    shown_ = shown(states);
  }
  uploaded_ = variant;
  return {};
}

// Rows in portions: a selection of millions takes no second model.
void VariantDrawer::show(const splat::Gaussians& model, std::span<const uint8_t> states) {
  std::vector<uint8_t> next = shown(states);
  shown_.resize(model.size()), next.resize(model.size());
  std::vector<uint32_t> rows;
  std::vector<uint8_t> of_rows;
  const auto write = [&] {
    splat::Gaussians changed = splat::gather_rows(model, rows);
    show_states(changed, of_rows);
    backend_->write_rows(rows, changed, false);
    rows.clear(), of_rows.clear();
  };
  for (size_t row = 0; row < next.size(); ++row) {
    if (next[row] == shown_[row]) continue;
    rows.push_back(uint32_t(row)), of_rows.push_back(next[row]);
    if (rows.size() == kRowsAtOnce) write();
  }
  if (!rows.empty()) write();
  shown_ = std::move(next);
}

EngineImage VariantDrawer::draw(const RenderRequest& request, int divisor) {
  SPLAT_CHECK(prepared_for(request.settings));
  return draw_variant(*backend_, request, divisor, colours_);
}

void VariantDrawer::release() {
  backend_.reset();
  uploaded_.reset();
  shown_ = {};
}

}  // namespace viewer
