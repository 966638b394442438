// The curves of one run below each other: PSNR with axes, then loss, splats and speed as small ones. They share the
// iteration that the mouse points at.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "splat/train/progress.h"
#include "studio/names.h"
#include "viewer/widgets/plot.h"

namespace studio {

struct RunCurves {
  std::span<const splat::HistoryEntry> history;
  std::span<const std::array<float, 2>> speed;  // (iteration, iterations per second); empty: not known, not drawn
};
void draw_run_curves(const Appearance& look, const RunCurves& curves, CurveHover& hover);

// A run's quality, large: PSNR of the held-out photos, in dB, and SSIM beside it. None: `otherwise` in its place.
void draw_large_psnr(const Appearance& look, std::optional<double> psnr, std::optional<double> ssim,
                     const char* otherwise);

}  // namespace studio
