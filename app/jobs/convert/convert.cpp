#include "app/jobs/convert/convert.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/jobs/clean/clean_model.h"
#include "app/jobs/convert/align_to.h"
#include "app/jobs/convert/convert_report.h"
#include "app/jobs/film/film_plan.h"
#include "app/jobs/host/bytes_on_disk.h"
#include "app/jobs/host/host.h"
#include "app/jobs/input/known_up.h"
#include "app/jobs/input/scene_frame.h"
#include "app/jobs/input/splat_input.h"
#include "app/jobs/replaced_file.h"
#include "app/jobs/scene/page_contents.h"
#include "app/jobs/session.h"
#include "app/jobs/training/run_output.h"
#include "app/jobs/work_memory.h"
#include "io/atomic_file.h"
#include "io/beside_splats.h"
#include "io/io.h"
#include "io/splats/common/checks.h"
#include "io/splats/formats.h"
#include "io/splats/html/html.h"
#include "io/splats/spz/spz.h"
#include "io/text.h"
#include "splat/core/counted.h"
#include "splat/core/log.h"
#include "splat/edit/filters.h"
#include "splat/edit/merge.h"

namespace app {

namespace fs = std::filesystem;
namespace edit = splat::edit;

namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kParts = 1000;  // of writing

class Conversion {
 public:
  Conversion(const ConvertTask& task, Monitor& monitor, ConvertReport& report)
      : task_(task), monitor_(monitor), report_(report), pool_(task.device.threads) {}

  Outcome run() {
    const auto format = io::output_splat_format(task_.output);
    if (!format) return bad_input(format.error());
    if (task_.convert.spz_version_given && *format != io::SplatFormat::kSpz)
      return bad_input(fmt::format("--spz-version means nothing to '{}', which is no .spz file; leave it out",
                                   task_.output.string()));
    if (const auto status = io::check_survey_format(task_.output); task_.convert.survey && !status)
      return bad_input(status.error());
    auto output = RunOutput::check(task_.output, true);  // before anything is read
    if (!output) return bad_input(output.error());
    if (const auto status = check_replaceable(task_.output, FileKind::kSplats, {task_.output_named, task_.force});
        !status)
      return bad_input(status.error());
    is_page_ = *format == io::SplatFormat::kHtml;
    if (const auto status = io::check_beside_splats(task_.output, nullptr, beside_of(task_.force)); !status)
      return bad_input(status.error());
    for (size_t i = 0; i < task_.convert.inputs.size(); ++i)
      if (Outcome outcome = read(task_.convert.inputs[i], task_.convert.placed[i]); !outcome) return outcome;
    if (Outcome outcome = filter(); !outcome) return outcome;
    if (Outcome outcome = settle_frame(); !outcome) return outcome;
    if (const auto status = io::check_beside_splats(task_.output, &info_, beside_of(task_.force)); !status)
      return bad_input(status.error());
    if (const auto status =
            check_work(fmt::format("writing '{}'", task_.output.string()), bytes_to_write(*format, model_));
        !status)
      return bad_input(status.error());
    if (const auto status = output->create(); !status) return failed(status.error());
    if (Outcome outcome = write(); !outcome) return outcome;
    const fs::path beside = is_page_ ? io::splats_beside_page(task_.output) : fs::path();
    report_.bytes = bytes_on_disk(task_.output) + (beside.empty() ? 0 : bytes_on_disk(beside));
    report_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    return done();
  }

 private:
  Outcome read(const fs::path& input, const std::optional<splat::Similarity>& placed) {
    monitor_.stage(fmt::format("reading {}", input.string()));
    auto found = read_splat_input(input, task_.device.threads);
    if (!found) return bad_input(found.error());
    io::SplatFile& file = found->file;
    if (monitor_.cancelled()) return {ExitCode::kInterrupted, kNothingWritten};
    for (const std::string& warning : file.warnings) warn(fmt::format("{}: {}", input.string(), warning));
    if (!file.unread.empty())
      warn(fmt::format("{}: not read, and missing in the result: {}", input.string(), io::first_names(file.unread)));
    if (const auto up = known_up(file, found->path)) file.view_up = up->direction;
    if (is_page_ && page_.views.empty())
      if (Outcome outcome = read_page_contents(*found, placed); !outcome) return outcome;
    if (placed && file.view_up) file.view_up = placed->turned(*file.view_up);
    report_.formats.push_back(file.format);
    report_.splats_in += file.gaussians.size();
    report_.bytes_in += file.bytes;
    if (report_.formats.size() == 1) {
      info_ = io::info_of(file);
      if (placed) info_.frame.metres_per_unit /= placed->scale, info_.front_at_z = false;
    } else {
      if (file.antialiased != info_.antialiased)
        warn(fmt::format("{} was {}trained antialiased, unlike those before; the result is marked as the first is",
                         input.string(), file.antialiased ? "" : "not "));
      if (file.low_pass != info_.low_pass)
        warn(
            fmt::format("{} is drawn with a low pass of {} px^2, those before with {}; the result is marked as the "
                        "first is",
                        input.string(), file.low_pass, info_.low_pass));
      if (!info_.view_up) info_.view_up = file.view_up;
      info_.flat = info_.flat && file.flat;
      if (Outcome outcome = join_frame(input, file); !outcome) return outcome;
    }
    edit::FilterSettings by_row = edit::row_by_row(filters());
    if (placed) {  // once mistakes are undone; the other filters see it where it then lies
      edit::repair(file.gaussians, by_row.repairs, pool_);
      by_row.repairs = {};
      transform(file.gaussians, *placed, pool_);
    }
    report_.removed += edit::apply_filters(file.gaussians, by_row, pool_);
    models_.push_back(std::move(file.gaussians));
    return done();
  }

  // The photos of --data, else those of the run that the file belongs to.
  Outcome read_page_contents(const SplatInput& found, const std::optional<splat::Similarity>& placed) {
    page_ = page_contents(found.path, found.file.gaussians, task_.device.threads);
    if (!task_.data.empty()) {
      splat::Dataset dataset;
      if (Outcome outcome = open_dataset(task_.data, task_.dataset, dataset); !outcome) return outcome;
      page_.views = page_views(dataset);
    }
    if (!task_.path.empty())
      if (Outcome outcome = read_page_path(found); !outcome) return outcome;
    if (placed) move_page(page_, *placed);
    return done();
  }

  Outcome read_page_path(const SplatInput& found) {
    io::PathFile file;
    if (Outcome outcome = choose_path({task_.path, 0, task_.data, task_.dataset}, found, file); !outcome)
      return outcome;
    page_.path = page_path(file.path);
    return done();
  }

  // Several scenes in the frame of the first.
  Outcome join_frame(const fs::path& input, io::SplatFile& file) {
    const auto joined = bring_into_frame(info_.frame, file);
    if (!joined) return bad_input(fmt::format("'{}': {}", input.string(), joined.error().message));
    if (!joined->empty()) warn(fmt::format("{}: {}", input.string(), *joined));
    info_.frame = file.frame;
    return done();
  }

  Outcome settle_frame() {
    info_.survey = task_.convert.survey;
    const bool placed = info_.frame.says_something();
    if (info_.survey && !placed)
      return bad_input(fmt::format("'{}' does not say where on earth it lies: there are no survey coordinates to write",
                                   task_.convert.inputs[0].string()));
    const char* const mover = filters().transform ? "--transform" : !task_.convert.places.empty() ? "--place" : nullptr;
    if (!mover || !placed) return done();
    if (info_.survey)
      return bad_input(
          fmt::format("{} moves the splats away from their survey coordinates: leave out --survey or that", mover));
    warn(fmt::format("{} moves the splats away from their survey coordinates: the result does not name any", mover));
    info_.frame = {{}, 0, info_.frame.metres_per_unit};
    return done();
  }

  Outcome filter() {
    monitor_.stage("filtering");
    model_ = edit::merge(std::move(models_));
    if (task_.convert.clean)
      if (Outcome outcome = clean(); !outcome) return outcome;
    if (!task_.convert.align_to.empty())
      if (Outcome outcome = align(); !outcome) return outcome;
    report_.removed += edit::apply_filters(model_, edit::all_at_once(filters()), pool_);
    if (filters().transform && info_.view_up) info_.view_up = filters().transform->turned(*info_.view_up);
    if (filters().transform) move_page(page_, *filters().transform);
    if (filters().transform || !task_.convert.align_to.empty()) info_.front_at_z = false;
    if (filters().transform) info_.frame.metres_per_unit /= filters().transform->scale;
    if (model_.size() == 0 && report_.splats_in > 0)
      return bad_input(
          fmt::format("no splats are left of {}: the filters remove all of them", human_count(report_.splats_in)));
    if (!io::any_writable(model_))
      return bad_input(
          fmt::format("none of the {} splats has values that a file can hold (they are not finite): there "
                      "is nothing to write",
                      human_count(model_.size())));
    if (io::named(task_.output, ".spz"))
      if (const auto status = io::check_spz_holds(task_.output, model_); !status) return bad_input(status.error());
    if (monitor_.cancelled()) return {ExitCode::kInterrupted, kNothingWritten};
    return done();
  }

  Outcome align() {
    monitor_.stage(fmt::format("aligning to {}", task_.convert.align_to.string()));
    report_.aligned.emplace();
    if (Outcome outcome = align_to(task_.convert.align_to, info_.frame, model_, pool_, *report_.aligned); !outcome)
      return outcome;
    for (const std::string& warning : report_.aligned->warnings) warn(warning);
    if (info_.view_up) info_.view_up = report_.aligned->fit.to_from.turned(*info_.view_up);
    move_page(page_, report_.aligned->fit.to_from);
    return done();
  }

  // Before anything is moved or left out for its number.
  Outcome clean() {
    CleanTask task{*task_.convert.clean, {task_.data, task_.look, task_.dataset, task_.device}};
    task.photos.look = as_trained(task_.look, false, {info_.antialiased, info_.low_pass});
    report_.cleaned.emplace();
    return clean_model(task, model_, monitor_, *report_.cleaned);
  }

  Outcome write() {
    io::SplatWriteOptions settings;
    settings.spz_version = task_.convert.spz_version;
    settings.threads = task_.device.threads;
    settings.page = std::move(page_);
    monitor_.stage(fmt::format("writing {}", task_.output.filename().string()));
    settings.progress = [this](double fraction) { monitor_.step(size_t(std::lround(kParts * fraction)), kParts); };
    settings.progress(0);
    io::remove_dead_partial_files_of(task_.output);
    auto report = io::write_splat_file(task_.output, model_, info_, settings, beside_of(task_.force));
    if (!report) return failed(report.error());
    report_.written = std::move(*report);
    return done();
  }

  void warn(const std::string& sentence) {
    report_.warnings.push_back(sentence);
    splat::log::warning(sentence);
  }

  const edit::FilterSettings& filters() const { return task_.convert.filters; }

  const ConvertTask& task_;
  Monitor& monitor_;
  ConvertReport& report_;
  bool is_page_ = false;
  io::PageContents page_;
  splat::ThreadPool pool_;
  const Clock::time_point start_ = Clock::now();

  std::vector<splat::Gaussians> models_;  // of the inputs, until they are merged
  splat::Gaussians model_;
  io::SplatFileInfo info_;
};

}  // namespace

Outcome convert(const ConvertTask& task, Monitor& monitor) {
  ConvertReport report;
  if (Outcome outcome = Conversion(task, monitor, report).run(); !outcome) return outcome;
  monitor.result(facts_of(task, report), text_of(task, report));
  return done();
}

}  // namespace app
