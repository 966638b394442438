#include "app/jobs/convert/convert.h"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "app/cli/commands/commands.h"
#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/standard_streams.h"
#include "app/cli/terminal/status_line.h"
#include "app/jobs/host/host.h"
#include "io/atomic_file.h"
#include "splat/core/counted.h"
#include "splat/core/log.h"

namespace app {

namespace clean = splat::clean;

namespace {

// One line on a terminal. A writer cannot be left half-way; the process can.
class ConversionLine final : public Monitor {
 public:
  explicit ConversionLine(const ConsoleOptions& console) : line_(choose_display(console.json, console.quiet)) {}

  void stage(const std::string& name) override {
    name_ = name;
    line_.show(name);
  }
  void step(size_t done, size_t total) override {
    if (interrupted()) end_now();
    line_.show(bar(double(done) / double(total)));
  }
  void progress(const Progress& now) override { line_.show(now.sentence()); }
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

  StatusLine line_;
  std::string name_;  // of the present stage
};

nlohmann::json summary(const ConvertTask& task, const ConvertReport& report) {
  nlohmann::json inputs = nlohmann::json::array();
  for (const std::filesystem::path& input : task.convert.inputs) inputs.push_back(input.string());
  const splat::edit::FilterReport& removed = report.removed;
  return {{"type", "summary"},
          {"inputs", inputs},
          {"input_formats", report.formats},
          {"output", task.output.string()},
          {"splats_in", report.splats_in},
          {"splats", report.written.written},
          {"sh_degree", report.written.sh_degree},
          {"removed",
           {{"invalid", removed.invalid},
            {"transparent", removed.transparent},
            {"outside_box", removed.outside_box},
            {"outside_sphere", removed.outside_sphere},
            {"least_contribution", removed.least},
            {"not_writable", report.written.dropped}}},
          {"clean", report.cleaned ? to_json(*report.cleaned) : nlohmann::json()},
          {"aligned", report.aligned ? to_json(*report.aligned) : nlohmann::json()},
          {"adjusted", report.written.adjusted},
          {"losses", report.written.losses},
          {"notes", report.written.notes},
          {"warnings", report.warnings},
          {"bytes_in", report.bytes_in},
          {"bytes", report.bytes},
          {"seconds", report.seconds},
          {"peak_rss_bytes", peak_rss_bytes()}};
}

void print_cleaned(const CleanReport& report) {
  size_t all = 0;
  for (const size_t count : report.taken) all += count;
  print("  cleaned by {} ({}): {} splats taken out\n", splat::counted(report.views, "photo"),
        clean::name_of(report.strength), human_count(all));
  for (size_t i = 1; i < report.taken.size(); ++i)
    if (report.taken[i] > 0) print("    {} {}\n", human_count(report.taken[i]), clean::sentence_of(clean::Reason(i)));
  if (report.held_out > 0)
    print("    PSNR on {} held-out photos: {:.2f} dB before, {:.2f} dB after\n", report.held_out, report.psnr_before,
          report.psnr_after);
}

void print_aligned(const AlignedTo& aligned) {
  print("  aligned: {:.0f} % of its surface lies on the other, {:.3g} units from it (root of the mean square)\n",
        100 * aligned.fit.share, aligned.fit.rms);
}

void print_report(const ConvertTask& task, const ConvertReport& report) {
  const io::SplatWriteReport& written = report.written;
  const auto removed = [](size_t count, const char* why) {
    if (count > 0) print("  left out: {} {}\n", human_count(count), why);
  };
  const auto size = [](uint64_t count) { return count > 0 ? ", " + human_bytes(count) : ""; };  // of a pipe: unknown
  print("{}: {} {} of SH degree {}{} (read: {} {}{}) in {:.1f} s\n", task.output.string(), human_count(written.written),
        splat::noun(written.written, "splat"), written.sh_degree, size(report.bytes), human_count(report.splats_in),
        splat::noun(report.splats_in, "splat"), size(report.bytes_in), report.seconds);
  removed(report.removed.invalid, "that cannot be drawn");
  removed(report.removed.transparent, "too transparent");
  removed(report.removed.outside_box, "outside the box");
  removed(report.removed.outside_sphere, "outside the sphere");
  if (report.cleaned) print_cleaned(*report.cleaned);
  if (report.aligned) print_aligned(*report.aligned);
  removed(report.removed.least, "that contribute least");
  removed(written.dropped, "with values that the file cannot hold");
  for (const std::string& loss : written.losses) print("  loss: {}\n", loss);
  for (const std::string& note : written.notes) print("  {}\n", note);
}

}  // namespace

Outcome run_convert(const ConvertTask& task) {
  install_interrupt_handlers(kNothingWritten);
  ConvertReport report;
  {
    ConversionLine line(task.console);
    if (Outcome outcome = convert(task, line, report); !outcome) return outcome;
  }
  task.console.json ? print_json(summary(task, report)) : print_report(task, report);
  return done();
}

}  // namespace app
