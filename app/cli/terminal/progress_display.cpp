#include "app/cli/terminal/progress_display.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/jobs/host/host.h"
#include "splat/core/log.h"

namespace app {
namespace {

constexpr auto kBarInterval = std::chrono::milliseconds(200);
constexpr auto kLineInterval = std::chrono::seconds(20);
constexpr auto kJsonInterval = std::chrono::milliseconds(500);

std::string figures(const ProgressNow& now) {
  std::string text = fmt::format("{:.1f} it/s  loss {:.4f}", now.iterations_per_second, now.loss);
  if (now.psnr) text += fmt::format("  PSNR {:.2f} dB", *now.psnr);
  text += fmt::format("  {} splats", human_count(now.splats));
  if (now.seconds_left > 0) text += "  ETA " + human_duration(now.seconds_left);
  return text;
}

}  // namespace

std::string progress_sentence(const ProgressNow& now) {
  return fmt::format("{}/{}  {}", now.iteration, now.iterations, figures(now));
}

std::string progress_bar(const ProgressNow& now, int columns) {
  const std::string text = progress_sentence(now);
  return with_bar(text, double(now.iteration) / std::max(now.iterations, 1), columns);
}

ProgressDisplay::ProgressDisplay(DisplayMode mode) : mode_(mode), line_(mode), next_(Clock::now()) {
  if (mode_ == DisplayMode::kLines) next_ += kLineInterval;
}

bool ProgressDisplay::due() const { return mode_ != DisplayMode::kNone && Clock::now() >= next_; }

void ProgressDisplay::update(const ProgressNow& now) {
  switch (mode_) {
    case DisplayMode::kBar:
      line_.show(progress_bar(now, terminal_columns()));
      next_ = Clock::now() + kBarInterval;
      break;
    case DisplayMode::kLines:
      splat::log::info(progress_sentence(now));
      next_ = Clock::now() + kLineInterval;
      break;
    case DisplayMode::kJson: {
      nlohmann::json object{{"type", "progress"},
                            {"iteration", now.iteration},
                            {"iterations", now.iterations},
                            {"iterations_per_second", now.iterations_per_second},
                            {"loss", now.loss},
                            {"splats", now.splats},
                            {"seconds", now.seconds},
                            {"eta_seconds", now.seconds_left}};
      if (now.psnr) object["psnr"] = *now.psnr;
      print_json(object);
      next_ = Clock::now() + kJsonInterval;
      break;
    }
    case DisplayMode::kNone:
      break;
  }
}

void ProgressDisplay::evaluated(const splat::HistoryEntry& entry) {
  splat::log::info(fmt::format("iteration {}: held-out PSNR {:.2f} dB, SSIM {:.4f}, {} splats", entry.iteration,
                               entry.psnr, entry.ssim, human_count(entry.splats)));
  if (mode_ != DisplayMode::kJson) return;
  nlohmann::json object = to_json(entry);
  object["type"] = "eval";
  print_json(object);
}

}  // namespace app
