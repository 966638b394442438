#include "studio/runs/run_curves.h"

#include <algorithm>

#include "viewer/widgets/widgets.h"

namespace studio {

void draw_run_curves(const Appearance& look, const RunCurves& curves, CurveHover& hover) {
  hover.begin_frame();
  CurvePoints loss, psnr, splats;
  for (const splat::HistoryEntry& entry : curves.history) {
    const float at = float(entry.iteration);
    loss.push_back({at, float(entry.loss)});
    splats.push_back({at, float(entry.splats)});
    if (entry.evaluated) psnr.push_back({at, float(entry.psnr)});
  }
  const CurvePoints speed(curves.speed.begin(), curves.speed.end());
  const float last = std::max(loss.empty() ? 0 : loss.back()[0], speed.empty() ? 0 : speed.back()[0]);
  plot(look, {.id = "psnr", .title = "PSNR on held-out photos, dB", .format = "%.2f", .last = last}, psnr, hover);
  sparkline(look, {.id = "loss", .title = "Loss", .format = "%.4f", .from_zero = true, .last = last}, loss, hover);
  sparkline(look, {.id = "splats", .title = "Splats", .format = "%.0f", .from_zero = true, .last = last}, splats,
            hover);
  if (!speed.empty())
    sparkline(look, {.id = "speed", .title = "Speed, it/s", .format = "%.1f", .from_zero = true, .last = last}, speed,
              hover);
}

void draw_large_psnr(const Appearance& look, std::optional<double> psnr, std::optional<double> ssim,
                     const char* otherwise) {
  if (!psnr) return faint_text(look, otherwise);
  constexpr float kLargePx = 28;  // at scale 1
  const float left = ImGui::GetCursorPosX();
  ImGui::PushFont(nullptr, kLargePx);
  ImGui::TextUnformatted(number_text(*psnr, "%.2f dB").c_str());
  const float height = ImGui::GetTextLineHeight();
  ImGui::PopFont();
  tooltip("PSNR on the held-out photos only; higher is better");
  const std::string rest = "PSNR" + (ssim ? number_text(*ssim, ", SSIM %.4f") : "");
  go_on(ImGui::CalcTextSize(rest.c_str()).x);
  if (ImGui::GetCursorPosX() > left)  // on one base line
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 0.8f * (height - ImGui::GetTextLineHeight()));
  ImGui::TextDisabled("%s", rest.c_str());
}

}  // namespace studio
