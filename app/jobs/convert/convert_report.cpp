#include "app/jobs/convert/convert_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/jobs/host/host.h"
#include "splat/core/counted.h"
#include "splat/core/printable.h"

namespace app {

namespace clean = splat::clean;

namespace {

std::string cleaned_text(const CleanReport& report) {
  std::string text;
  size_t all = 0;
  for (const size_t count : report.taken) all += count;
  text += fmt::format("  cleaned by {} ({}): {} splats taken out\n", splat::counted(report.views, "photo"),
                      clean::name_of(report.strength), human_count(all));
  for (size_t i = 1; i < report.taken.size(); ++i)
    if (report.taken[i] > 0)
      text += fmt::format("    {} {}\n", human_count(report.taken[i]), clean::sentence_of(clean::Reason(i)));
  if (report.held_out > 0)
    text += fmt::format("    PSNR on {} held-out photos: {:.2f} dB before, {:.2f} dB after\n", report.held_out,
                        report.psnr_before, report.psnr_after);
  return text;
}

std::string aligned_text(const AlignedTo& aligned) {
  return fmt::format(
      "  aligned: {:.0f} % of its surface lies on the other, {:.3g} units from it (root of the mean square)\n",
      100 * aligned.fit.share, aligned.fit.rms);
}

}  // namespace

nlohmann::json facts_of(const ConvertTask& task, const ConvertReport& report) {
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

std::string text_of(const ConvertTask& task, const ConvertReport& report) {
  std::string text;
  const io::SplatWriteReport& written = report.written;
  const auto removed = [&](size_t count, const char* why) {
    if (count > 0) text += fmt::format("  left out: {} {}\n", human_count(count), why);
  };
  const auto size = [](uint64_t count) { return count > 0 ? ", " + human_bytes(count) : ""; };  // of a pipe: unknown
  text += fmt::format(
      "{}: {} {} of SH degree {}{} (read: {} {}{}) in {:.1f} s\n", splat::printable(task.output.string()),
      human_count(written.written), splat::noun(written.written, "splat"), written.sh_degree, size(report.bytes),
      human_count(report.splats_in), splat::noun(report.splats_in, "splat"), size(report.bytes_in), report.seconds);
  removed(report.removed.invalid, "that cannot be drawn");
  removed(report.removed.transparent, "too transparent");
  removed(report.removed.outside_box, "outside the box");
  removed(report.removed.outside_sphere, "outside the sphere");
  if (report.cleaned) text += cleaned_text(*report.cleaned);
  if (report.aligned) text += aligned_text(*report.aligned);
  removed(report.removed.least, "that contribute least");
  removed(written.dropped, "with values that the file cannot hold");
  for (const std::string& loss : written.losses) text += fmt::format("  loss: {}\n", splat::printable(loss));
  for (const std::string& note : written.notes) text += fmt::format("  {}\n", splat::printable(note));
  return text;
}

}  // namespace app
