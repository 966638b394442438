// Editing in the window: steps are carried out on the engine's thread, which then draws their result. What is not saved
// is kept every few seconds, and offered when the window or the file is opened again.
#include "app/window/scene_memory_file.h"
#include "app/window/window_session_impl.h"
#include "splat/core/log.h"

namespace app {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

constexpr auto kKeepAfter = std::chrono::seconds(5);

viewer::EditsFound found(const KeptEdits& kept) { return {kept.splats, summary_of(kept.edits).text()}; }

}  // namespace

// On the engine's thread.
Editing& WindowSession::Impl::begin_editing() {
  if (editing) return *editing;
  fs::path splats;
  {
    std::lock_guard lock(scene_mutex);
    splats = scene.splats;
  }
  editing = std::make_unique<Editing>(options.device.threads, splats, config);
  return *editing;
}

void WindowSession::Impl::carry_out(viewer::EditScene& command) {
  if (training) return;
  if (command.request.step != viewer::EditStep::kBegin && !keep_edits_at)
    keep_edits_at = std::chrono::steady_clock::now() + kKeepAfter;
  engine.edit(options.device.threads, [this, request = std::move(command.request)](viewer::EngineModel& model) {
    auto edited = begin_editing().carry_out(request, model);
    if (!edited) return log::error(edited.error().message);
    if (auto changed = editing->take_changed_rows(model.edited())) state.changed_rows.put(std::move(*changed));
    state.edited.put(std::move(*edited));
  });
}

void WindowSession::Impl::keep_edits_when_due() {
  if (!keep_edits_at || std::chrono::steady_clock::now() < *keep_edits_at) return;
  keep_edits_at.reset();
  engine.run([this](const splat::Gaussians&, const splat::edit::EditedModel* edited) {
    if (editing && edited) editing->keep(*edited);
  });
}

// Before another model comes: its edits belong to this one, and were given up.
void WindowSession::Impl::end_editing() {
  engine.run([this](const splat::Gaussians&, const splat::edit::EditedModel*) {
    if (editing) editing->forget();
    editing.reset();
  });
}

void WindowSession::Impl::offer_kept_edits() {
  if (const auto kept = newest_kept_edits(config)) state.edits_found.put(found(*kept));
}

void WindowSession::Impl::offer_kept_edits_of(const fs::path& splats) {
  const auto kept = kept_edits(config, splats);
  if (!kept) return;
  if (kept->content == content_of(splats)) return state.edits_found.put(found(*kept));
  forget_kept_edits(config, splats);
  log::warning("'" + splats.string() + "' has changed: edits of it that were not saved are lost");
}

void WindowSession::Impl::restore_edits(const fs::path& splats) {
  engine.edit(options.device.threads, [this, splats](viewer::EngineModel& model) {
    const auto kept = kept_edits(config, splats);
    if (!kept) return log::error("the edits of '" + splats.string() + "' are not there any more");
    io::SceneFrame frame;
    {
      std::lock_guard lock(scene_mutex);
      frame = scene.file_info.frame;
    }
    auto added = read_added_again(*kept, frame, options.device.threads);
    if (!added) return log::error(added.error().message);
    if (const auto status = begin_editing().restore(*kept, std::move(*added), model); !status)
      return log::error(status.error().message);
    if (auto changed = editing->take_changed_rows(model.edited())) state.changed_rows.put(std::move(*changed));
    state.edited.put(editing->scene(model.edited()));
    log::info("restored the edits of '" + splats.string() + "'");
  });
}

void WindowSession::Impl::carry_out(viewer::RestoreEdits& command) {
  fs::path present;
  {
    std::lock_guard lock(scene_mutex);
    present = scene.splats;
  }
  std::error_code code;
  if (fs::equivalent(present, command.splats, code)) return restore_edits(command.splats);
  open_path(command.splats, true);
}

void WindowSession::Impl::carry_out(viewer::ForgetEdits& command) { forget_kept_edits(config, command.splats); }

}  // namespace app
