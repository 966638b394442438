#include "app/cli/terminal/terminal_monitor.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/standard_streams.h"
#include "app/jobs/host/host.h"
#include "splat/core/log.h"

namespace app {
namespace {

using std::chrono::milliseconds;

constexpr auto kShowEvery = milliseconds(100);  // steps of a stage
constexpr double kLeastSeconds = 0.5;           // of a stage, before its pace says anything

milliseconds interval_of(DisplayMode mode) {
  return mode == DisplayMode::kLines ? milliseconds(20'000) : milliseconds(mode == DisplayMode::kJson ? 500 : 200);
}

}  // namespace

std::string with_time_left(const Progress& now) {
  return now.sentence() + (now.seconds_left() > 0 ? "  ETA " + human_duration(now.seconds_left()) : "");
}

TerminalMonitor::TerminalMonitor(const ConsoleOptions& console, bool tells_stages)
    : mode_(choose_display(console.json, console.quiet)),
      tells_stages_(tells_stages),
      line_(mode_),
      next_(Clock::now()) {
  if (mode_ == DisplayMode::kLines) next_ += interval_of(mode_);
}

void TerminalMonitor::clear() { line_.clear(); }

void TerminalMonitor::stage(const std::string& name) {
  name_ = name;
  began_ = Clock::now();
  shown_ = {};
  line_.show(name);
  if (tells_stages_ && mode_ == DisplayMode::kJson) print_json({{"type", "stage"}, {"name", name}});
}

void TerminalMonitor::step(size_t done, size_t total) {
  if (Clock::now() - shown_ < kShowEvery || total == 0) return;
  shown_ = Clock::now();
  const double seconds = std::chrono::duration<double>(shown_ - began_).count();
  std::string text = fmt::format("{} {}/{}", name_, done, total);
  if (seconds > kLeastSeconds && done > 0)
    text += fmt::format(", about {:.0f} s left", seconds * double(total - done) / double(done));
  line_.show(text);
}

void TerminalMonitor::reading(size_t done, size_t total) {
  line_.show(fmt::format("reading photos {}/{}", done, total));
  if (done == total) line_.clear();
}

void TerminalMonitor::progress(const Progress& now) {
  if (mode_ == DisplayMode::kNone || (Clock::now() < next_ && !now.urgent())) return;
  if (mode_ == DisplayMode::kBar) line_.show(with_bar(with_time_left(now), now.share(), terminal_columns()));
  if (mode_ == DisplayMode::kLines) splat::log::info(with_time_left(now));
  if (mode_ == DisplayMode::kJson) print_json(now.facts());
  next_ = Clock::now() + interval_of(mode_);
}

void TerminalMonitor::predicted(const Prediction& prediction) {
  if (!std::exchange(memory_said_, true))
    splat::log::info(fmt::format("memory: about {} at the most", human_bytes(prediction.memory_bytes)));
  if (prediction.seconds > 0) splat::log::info(fmt::format("about {:.0f} s in all", prediction.seconds));
}

void TerminalMonitor::result(const nlohmann::json& facts, const std::string& text) {
  clear();
  mode_ == DisplayMode::kJson ? print_json(facts) : print_lines(text);
}

bool TerminalMonitor::cancelled() { return interrupted(); }

}  // namespace app
