// Saving splats and the crop box: from copies, on the writing thread, so that drawing and editing go on.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "app/jobs/host/host.h"
#include "app/jobs/scene/page_contents.h"
#include "io/atomic_file.h"
#include "io/box_file.h"
#include "io/io.h"
#include "io/splats/formats.h"
#include "splat/core/counted.h"
#include "splat/core/log.h"
#include "studio/documents/opening.h"
#include "studio/edit/service.h"

namespace studio {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

// File units per unit of the scene.
double units_in(const fs::path& path, const io::SceneFrame& frame) {
  const auto format = io::output_splat_format(path);
  return format && io::splat_format(*format).counts_metres ? frame.to_metres() : 1;
}

// Whether a second model fits beside this one and what the window may need meanwhile.
bool can_be_copied(const splat::Gaussians& model) {
  const size_t numbers = 11 * model.size() + model.sh.size();
  return 2 * sizeof(float) * numbers < host_memory().available_bytes;
}

}  // namespace

void EditService::save(const ExportSplats& wanted) {
  if (context_.model.run()) return save_run(wanted);
  context_.model.opened().run([this, wanted](const splat::Gaussians& model, const splat::edit::EditedModel* edited) {
    save_opened(wanted, model, edited);
  });
}

void EditService::save_run(const ExportSplats& wanted) {
  context_.model.run()->ask([this, wanted](TrainingRun& run) {
    const splat::Dataset& data = run.dataset();
    io::SplatFileInfo info;
    info.antialiased = run.options().train.antialias;
    info.low_pass = run.options().train.low_pass;
    info.iteration = run.trainer().iteration();
    info.view_up = data.view_up;
    info.frame = {data.origin, data.epsg, wanted.metres_per_unit.value_or(data.metres_per_unit)};
    context_.writings.add([this, wanted, model = run.trainer().model(), info] { write(wanted, model, info); });
  });
}

// On the engine's thread; where no copy fits, the file is written there, and the picture waits.
void EditService::save_opened(const ExportSplats& wanted, const splat::Gaussians& model,
                              const splat::edit::EditedModel* edited) {
  if (model.size() == 0) return log::error("there are no splats to export: open a file or train first");
  auto [splats, info] =
      context_.documents.with([](const OpenScene& scene) { return std::pair(scene.splats, scene.file_info); });
  if (wanted.metres_per_unit) info.frame.metres_per_unit = *wanted.metres_per_unit;
  std::optional<splat::edit::EditedState> state;  // of the whole, which a part does not save
  if (edited && !wanted.object) state = edited->state();
  const double units = units_in(wanted.path, info.frame);
  auto finish = [this, of = splats, wanted, state = std::move(state), units](bool written) mutable {
    if (written && state) note_saved(of, std::move(*state), wanted.path, units);
  };
  if (!edited && !can_be_copied(model)) return finish(write(wanted, model, info));
  context_.writings.add([this, wanted, info = info, left = edited ? edited->saved(wanted.object) : model,
                         finish = std::move(finish)]() mutable { finish(write(wanted, left, info)); });
}

void EditService::note_saved(const fs::path& splats, splat::edit::EditedState&& state, const fs::path& file,
                             double units) {
  context_.model.opened().run([this, splats, state = std::move(state), file, units](
                                  const splat::Gaussians&, const splat::edit::EditedModel* edited) mutable {
    if (!edited || !editing_ || editing_->splats() != splats) return;  // another scene has been opened meanwhile
    editing_->was_saved(std::move(state), file, units);
    editing_->keep(*edited);
    context_.report(editing_->scene(*edited));
  });
}

io::PageContents EditService::page_of(const splat::Gaussians& model) {
  const auto [splats, photos] =
      context_.documents.with([](const OpenScene& scene) { return std::pair(scene.splats, scene.photos); });
  io::PageContents page;
  if (photos)
    page.views = page_views(*photos);
  else
    page = page_contents(splats, model, 0);
  page.background = context_.documents.background_as_trained();
  return page;
}

bool EditService::write(const ExportSplats& wanted, const splat::Gaussians& model, const io::SplatFileInfo& info) {
  const fs::path& path = wanted.path;
  io::remove_dead_partial_files_of(path);
  io::SplatWriteOptions options{.max_sh_degree = wanted.max_sh_degree};
  if (io::named(path, ".html")) {
    options.page = page_of(model);
    options.page.path = page_path(wanted.camera_path);
  }
  const auto report = io::write_splat_file(path, model, info, options);
  if (!report) {
    context_.fail(report.error().message, path, io::named(path, ".html") ? "Share as a web page" : "Save splats as");
    return false;
  }
  const std::string note = report->notes.empty() ? "" : ": " + report->notes.front();
  context_.say_done(fmt::format("{} {} written to '{}'{}", human_count(report->written),
                                splat::noun(report->written, "splat"), path.string(), note),
                    path);
  if (report->dropped > 0)
    log::warning(
        fmt::format("{} left out of '{}'",
                    splat::counted(report->dropped, "splat that is not finite was", "splats that are not finite were"),
                    path.string()));
  return true;
}

// From a sample that is taken where the splats are; its files are written on the writing thread.
void EditService::predict(const PredictSizes& wanted) {
  if (context_.model.run())
    return context_.model.run()->ask([this, wanted](TrainingRun& run) {
      const splat::Gaussians model = run.trainer().model();
      predict(wanted, io::size_sample(model, [](size_t) { return true; }), model.sh_degree);
    });
  context_.model.opened().run([this, wanted](const splat::Gaussians& model, const splat::edit::EditedModel* edited) {
    const std::vector<uint8_t> rows = edited ? edited->saved_rows(wanted.object) : std::vector<uint8_t>();
    predict(wanted, io::size_sample(model, [&](size_t row) { return rows.empty() || rows[row]; }),
            edited ? edited->saved_degree(rows) : model.sh_degree);
  });
}

void EditService::predict(const PredictSizes& wanted, const io::SizeSample& sample, int sh_degree) {
  context_.writings.add([this, wanted, sample, degree = std::min(wanted.max_sh_degree, sh_degree)] {
    PredictedSizes sizes{wanted, sample.of, {}};
    for (const FormatRow& row : format_rows()) {
      const auto bytes = io::predicted_bytes(*io::format_by_extension(row.extension), sample, degree);
      sizes.bytes.push_back(bytes ? std::optional(*bytes) : std::nullopt);
    }
    context_.report(std::move(sizes));
  });
}

void EditService::save_box(SaveBox&& wanted) {
  context_.writings.add([this, path = std::move(wanted.path), box = wanted.box] {
    if (const auto status = io::write_box_file(path, box); !status)
      return context_.fail(status.error().message, path, "Save the crop box");
    context_.say_done("crop box written to '" + path.string() + "': --region and --crop-box read it", path);
  });
}

}  // namespace studio
