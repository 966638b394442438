// Density control against a budget (our own; ideas of "Taming 3DGS", "Revising densification" and Improved-GS):
// - how many splats there shall be follows from the detail that the photos hold, from how many there are and from the
//   length of the run, not from a threshold of gradients; growth is over after a third of the run, most of it early;
// - what grows are the splats with the largest mean gradient on the screen, cut in two along their longest axis; of
//   those nearest to the cameras it counts less (near_rows.h);
// - opacity is never reset; a little is taken from all at every step, and what no photo holds up is removed. Its
//   place in the budget goes to others until shortly before the end;
// - what no second photo verifies is moved out where it has come close to another camera (moved_out_rows.h), and what
//   cameras far away alone see where others were carried along is removed (path_rows.h); after the last iteration, so
//   is what hangs before the pictures of a few photos alone (veil_rows.h);
// - a random share of the splats is left out of every iteration, the more the fewer photos there are, so that none
//   relies on others to look right from the photos alone (math/dropout.h);
// - more iterations than the photos are worth become smaller steps instead of more movement, and colour and opacity
//   come to rest in the second half.
// Rows afterwards: the old ones kept, in order; then halves by parent row. Cost: one download of ellipsoids a step.
#pragma once

#include <cstdint>
#include <vector>

#include "splat/core/result.h"
#include "splat/densify/strategy.h"

namespace splat {

struct BudgetConfig {
  int from = kAuto;         // iteration after which it acts
  int until = kAuto;        // growth is over
  int last = kAuto;         // nothing is removed or replaced from here on
  int every = kAuto;        // iterations, at least; as many as there are photos up to 60
  int fade_from = kAuto;    // iteration from which rates fall ...
  int fade_until = kAuto;   // ... to their last value
  float per_detail = 6.2f;  // splats: times (detailed pixels of a photo)^0.75, times the root of the number of photos
  float growth = 0.25f;     // of the count, added in one step at most
  float opacity_decay = 0.004f;      // [0,1] taken at every step, falling to 0 at the end of the run
  float prune_opacity = 1.0f / 255;  // [0,1]
  float split_offset = 0.5f;         // of the longest axis: how far a half's centre moves
  float split_along = 0.5f;          // a half's longest axis, of the parent's
  float split_across = 0.85f;        // and the others
  float split_opacity = 0.6f;        // a half's opacity, of the parent's
  float fade = 0.3f;                 // the last rate of opacity and colour, of the full one
  float fade_shape = 1;              // of sizes and rotations
  float fade_mean = 1;               // of positions, beside their own fall
  float photo_steps = 800;           // iterations a photo is worth: beyond them all rates fall in proportion; 0: any
  float opacity_regularizer = 0;     // weight of mean(opacity) in the loss
  float nearer = 3;         // how many times nearer another camera is to what is moved out or removed; 0: nothing is
  float near_share = 0.1f;  // of the splats: those nearest to the cameras grow less; 0: all grow alike
  int veil_photos = 3;      // splats that at most this many have in frame, far before the rest, go at the end; 0: none
  float dropout = kAuto;    // share of the splats left out at the end of the run; kAuto: by the number of photos
};

// Calls visit(name, field) for every setting; names are those of --config files.
template <class Config, class Visitor>
void visit_budget_fields(Config& c, Visitor&& visit) {
  visit("budget_from", c.from);
  visit("budget_until", c.until);
  visit("budget_last", c.last);
  visit("budget_every", c.every);
  visit("budget_fade_from", c.fade_from);
  visit("budget_fade_until", c.fade_until);
  visit("budget_per_detail", c.per_detail);
  visit("budget_growth", c.growth);
  visit("budget_opacity_decay", c.opacity_decay);
  visit("budget_prune_opacity", c.prune_opacity);
  visit("budget_split_offset", c.split_offset);
  visit("budget_split_along", c.split_along);
  visit("budget_split_across", c.split_across);
  visit("budget_split_opacity", c.split_opacity);
  visit("budget_fade", c.fade);
  visit("budget_fade_shape", c.fade_shape);
  visit("budget_fade_mean", c.fade_mean);
  visit("budget_photo_steps", c.photo_steps);
  visit("budget_opacity_regularizer", c.opacity_regularizer);
  visit("budget_nearer", c.nearer);
  visit("budget_near_share", c.near_share);
  visit("budget_veil_photos", c.veil_photos);
  visit("budget_dropout", c.dropout);
}
void resolve_budget(BudgetConfig& config, int iterations);  // as resolve_adc()
Status check_budget(const BudgetConfig& config);

// The two halves of row `parent`, cut across its longest axis. Appends to `halves`.
void append_halves(const BudgetConfig& config, const Ellipsoids& model, uint32_t parent, Ellipsoids& halves);

class Budget : public Strategy {
 public:
  Budget(const BudgetConfig& config, const StrategyScene& scene);

  void adjust(int iteration, AdamSettings& settings) const override;
  void adjust(int iteration, RenderSettings& settings) const override;
  DensifyReport after_update(int iteration, Backend& backend) override;
  size_t finish(Backend& backend, std::span<const View> cameras, const RenderSettings& settings) override;
  void save_state(Archive& archive) const override;
  Status load_state(const Archive& archive) override;

  // Splats there shall be after growth; at least as many as at the start, but for the limit.
  size_t budget() const;

 private:
  size_t unlimited_budget() const;
  double dropout() const;
  int interval() const;
  size_t wanted(int iteration, size_t now) const;
  DensifyReport step(int iteration, Backend& backend);

  BudgetConfig config_;
  StrategyScene scene_;
  uint64_t first_ = 0;  // splats at the start; 0: not known yet
};

}  // namespace splat
