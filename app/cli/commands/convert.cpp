#include "app/jobs/convert/convert.h"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "app/cli/commands/commands.h"
#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/standard_streams.h"
#include "app/cli/terminal/terminal_monitor.h"
#include "app/jobs/clean/clean_model.h"
#include "io/atomic_file.h"
#include "splat/core/log.h"

namespace app {

namespace {

// One line on a terminal. A writer cannot be left half-way; the process can.
class ConversionLine final : public Monitor {
 public:
  explicit ConversionLine(const ConsoleOptions& console)
      : json_(console.json), line_(choose_display(console.json, console.quiet)) {}

  void stage(const std::string& name) override {
    name_ = name;
    line_.show(name);
  }
  void step(size_t done, size_t total) override {
    if (interrupted()) end_now();
    line_.show(bar(double(done) / double(total)));
  }
  void progress(const Progress& now) override { line_.show(with_time_left(now)); }
  void result(const nlohmann::json& facts, const std::string& text) override {
    line_.clear();
    json_ ? print_json(facts) : print_lines(text);
  }
  bool cancelled() override { return interrupted(); }

 private:
  [[noreturn]] void end_now() {
    line_.clear();
    splat::log::warning(kNothingWritten);
    io::remove_partial_files();
    ::_exit(int(ExitCode::kInterrupted));
  }
  std::string bar(double share) const {
    constexpr int kWidth = 30;
    const int filled = int(share * kWidth);
    return fmt::format("[{}{}] {:3.0f} %  {}", std::string(size_t(filled), '#'),
                       std::string(size_t(kWidth - filled), '.'), 100 * share, name_);
  }

  bool json_;
  StatusLine line_;
  std::string name_;  // of the present stage
};

}  // namespace

Outcome run_convert(const ConvertTask& task) {
  install_interrupt_handlers(kNothingWritten);
  ConversionLine line(task.console);
  return convert(task, line);
}

}  // namespace app
