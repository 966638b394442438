#include "studio/edit/service.h"

#include <fmt/format.h>

#include <utility>

#include "splat/core/log.h"
#include "studio/documents/scene_memory_file.h"
#include "studio/edit/added_splats.h"

namespace studio {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

constexpr auto kKeepAfter = std::chrono::seconds(5);
constexpr auto kLook = std::chrono::milliseconds(500);  // at whether they are to be kept

EditsFound found(const KeptEdits& kept) { return {kept.splats, summary_of(kept.edits).text()}; }

}  // namespace

EditService::EditService(Context& context) : context_(context) {
  Bus& requests = context_.bridge.requests;
  requests.on<EditScene>([this](EditScene&& wanted) { carry_out(std::move(wanted)); });
  requests.on<AddSplats>([this](AddSplats&& wanted) { add(std::move(wanted)); });
  requests.on<ExportSplats>([this](ExportSplats&& wanted) { save(wanted); });
  requests.on<PredictSizes>([this](PredictSizes&& wanted) { predict(wanted); });
  requests.on<SaveBox>([this](SaveBox&& wanted) { save_box(std::move(wanted)); });
  requests.on<RestoreEdits>([this](RestoreEdits&& wanted) { restore_or_open(wanted.splats); });
  requests.on<ForgetEdits>([this](ForgetEdits&& wanted) { forget_kept_edits(context_.config, wanted.splats); });
  if (!context_.options.opens)
    context_.openings.add([this] {
      if (const auto kept = newest_kept_edits(context_.config)) context_.report(found(*kept));
    });
}

Editing& EditService::begin() {
  if (editing_) return *editing_;
  const fs::path splats = context_.documents.with([](const OpenScene& scene) { return scene.splats; });
  editing_ = std::make_unique<Editing>(context_.options.device.threads, splats, context_.config);
  return *editing_;
}

// Rows first: the window shows states of rows that it has.
void EditService::report(const splat::edit::EditedModel& edited, EditedScene&& scene) {
  if (auto changed = editing_->take_changed_rows(edited)) context_.report(std::move(*changed));
  context_.report(std::move(scene));
}

void EditService::carry_out(EditScene&& wanted) {
  if (context_.model.run()) return;
  if (wanted.request.step && !keep_at_) keep_at_ = std::chrono::steady_clock::now() + kKeepAfter;
  context_.model.opened().edit(context_.options.device.threads,
                               [this, request = std::move(wanted.request)](EngineModel& model) {
                                 auto edited = begin().carry_out(request, model);
                                 if (!edited) return log::error(edited.error().message);
                                 report(model.edited(), std::move(*edited));
                               });
}

std::optional<std::chrono::milliseconds> EditService::turn() {
  if (!keep_at_) return std::nullopt;
  if (std::chrono::steady_clock::now() < *keep_at_) return kLook;
  keep_at_.reset();
  context_.model.opened().run([this](const splat::Gaussians&, const splat::edit::EditedModel* edited) {
    if (editing_ && edited) editing_->keep(*edited);
  });
  return std::nullopt;
}

// Before another model comes: its edits belong to this one, and were given up.
void EditService::scene_changed(bool) {
  context_.model.opened().run([this](const splat::Gaussians&, const splat::edit::EditedModel*) {
    if (editing_) editing_->forget();
    editing_.reset();
  });
}

// What is being saved is saved before it is decided what is to be kept.
void EditService::wind_down() {
  context_.settle();
  context_.model.opened().run([this](const splat::Gaussians&, const splat::edit::EditedModel* edited) {
    if (editing_ && edited) context_.keeps_edits ? editing_->keep(*edited) : editing_->forget();
  });
}

// After the edits that were given up are forgotten, which may be of the same file: in the order of the engine's work.
void EditService::splats_opened(const fs::path& splats, bool restores) {
  if (restores) return restore(splats);
  context_.model.opened().run([this, splats](const splat::Gaussians&, const splat::edit::EditedModel*) {
    const auto kept = kept_edits(context_.config, splats);
    if (!kept) return;
    if (kept->content == content_of(splats)) return context_.report(found(*kept));
    forget_kept_edits(context_.config, splats);
    log::warning("'" + splats.string() + "' has changed: edits of it that were not saved are lost");
  });
}

void EditService::restore_or_open(const fs::path& splats) {
  const fs::path present = context_.documents.with([](const OpenScene& scene) { return scene.splats; });
  std::error_code code;
  fs::equivalent(present, splats, code) ? restore(splats) : context_.documents.open_path(splats, true);
}

void EditService::restore(const fs::path& splats) {
  context_.model.opened().edit(context_.options.device.threads, [this, splats](EngineModel& model) {
    const auto kept = kept_edits(context_.config, splats);
    if (!kept) return log::error("the edits of '" + splats.string() + "' are not there any more");
    const io::SceneFrame frame = context_.documents.with([](const OpenScene& scene) { return scene.file_info.frame; });
    auto added = read_added_again(*kept, frame, context_.options.device.threads);
    if (!added) return log::error(added.error().message);
    if (const auto status = begin().restore(*kept, std::move(*added), model); !status)
      return log::error(status.error().message);
    report(model.edited(), editing_->scene(model.edited()));
    log::info("restored the edits of '" + splats.string() + "'");
  });
}

// ---- files that are added: read after what is being opened, and made an object on the engine's thread

void EditService::add(AddSplats&& wanted) {
  Job& job = context_.jobs.begin(wanted.path.filename().string());
  std::error_code code;
  const uintmax_t bytes = fs::file_size(wanted.path, code);
  job.file_bytes = code ? 0 : bytes;
  context_.openings.add([this, wanted = std::move(wanted), &job] { read_and_add(wanted, job); });
}

void EditService::read_and_add(const AddSplats& wanted, Job& job) {
  const MarkDone mark_done(job);
  if (job.watch.cancelled) return;
  const fs::path& path = wanted.path;
  auto [scene_path, info] =
      context_.documents.with([](const OpenScene& scene) { return std::pair(scene.splats, scene.file_info); });
  if (scene_path.empty())
    return log::error(fmt::format("'{}' cannot be added: no splat file is open that it could join", path.string()));
  if (wanted.with_opening && kept_edits(context_.config, scene_path))
    return log::error(
        fmt::format("'{}' was not added: first restore or discard the edits of '{}' that were not saved, then add it",
                    path.string(), scene_path.string()));
  if (wanted.metres_per_unit) info.frame.metres_per_unit = *wanted.metres_per_unit;
  const int threads = context_.options.device.threads;
  auto added = read_added(path, info.frame, {info.antialiased, info.low_pass}, threads, &job.watch);
  if (job.watch.cancelled) return;
  if (!added) return context_.fail(added.error().message, "Add a splat file as an object");
  for (const std::string& warning : added->warnings) log::warning(warning);
  added->file.metres_per_unit = wanted.metres_per_unit;
  context_.model.opened().edit(threads, [this, of = scene_path, added = std::move(*added)](EngineModel& model) mutable {
    Editing& now = begin();
    if (now.splats() != of) return;  // another scene has been opened meanwhile
    const std::string name = added.name;
    if (const auto status = now.add(std::move(added), model); !status) return log::error(status.error().message);
    auto after = now.carry_out({}, model);
    if (!after) return log::error(after.error().message);
    after->added = true;
    report(model.edited(), std::move(*after));
    now.keep(model.edited());
    log::info(fmt::format("'{}' was added", name));
  });
}

}  // namespace studio
