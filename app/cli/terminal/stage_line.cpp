#include "app/cli/terminal/stage_line.h"

#include <fmt/format.h>

namespace app {
namespace {

constexpr auto kShowEvery = std::chrono::milliseconds(100);
constexpr double kLeastSeconds = 0.5;  // of a stage, before its pace says anything

}  // namespace

void StageLine::begin(const std::string& name) {
  end();
  name_ = name;
  began_ = Clock::now();
  shown_ = {};
  line_.show(name);
  if (mode_ == DisplayMode::kJson) print_json({{"type", "stage"}, {"name", name}});
}

void StageLine::step(size_t done, size_t total) {
  if (Clock::now() - shown_ < kShowEvery || total == 0) return;
  shown_ = Clock::now();
  const double seconds = seconds_of_present();
  std::string text = fmt::format("{} {}/{}", name_, done, total);
  if (seconds > kLeastSeconds && done > 0)
    text += fmt::format(", about {:.0f} s left", seconds * double(total - done) / double(done));
  line_.show(text);
}

void StageLine::end() {
  if (!name_.empty()) finished_.emplace_back(name_, seconds_of_present());
  name_.clear();
  line_.clear();
}

double StageLine::seconds() const {
  double sum = 0;
  for (const auto& [name, seconds] : finished_) sum += seconds;
  return sum;
}

}  // namespace app
