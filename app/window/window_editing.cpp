// Editing in the window: steps are carried out on the engine's thread, which then draws their result.
#include "app/window/window_session_impl.h"
#include "splat/core/log.h"

namespace app {

namespace log = splat::log;

void WindowSession::Impl::carry_out(viewer::EditScene& command) {
  if (training) return;
  engine.edit(options.device.threads, [this, request = std::move(command.request)](viewer::EngineModel& model) {
    if (!editing) editing = std::make_unique<Editing>(options.device.threads);
    auto edited = editing->carry_out(request, model);
    if (!edited) return log::error(edited.error().message);
    state.edited.put(std::move(*edited));
  });
}

// Before another model comes: its edits belong to this one.
void WindowSession::Impl::end_editing() {
  engine.run([this](const splat::Gaussians&, const splat::edit::EditedModel*) { editing.reset(); });
}

}  // namespace app
