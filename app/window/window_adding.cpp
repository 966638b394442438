// Files that are added to the opened splats: read on the opening thread, after what is being opened, and made an object
// on the engine's.
#include <fmt/format.h>

#include <utility>

#include "app/window/added_splats.h"
#include "app/window/window_session_impl.h"
#include "splat/core/log.h"

namespace app {

namespace log = splat::log;

void WindowSession::Impl::carry_out(viewer::AddSplats& command) {
  Opening* mine = begin_opening(command.path.filename().string());
  std::error_code code;
  const uintmax_t bytes = std::filesystem::file_size(command.path, code);
  mine->file_bytes = code ? 0 : bytes;
  openings.add([this, wanted = std::move(command), mine] { add_splats(wanted, *mine); });
}

void WindowSession::Impl::add_splats(const viewer::AddSplats& wanted, Opening& mine) {
  const MarkDone mark_done(mine);
  if (mine.watch.cancelled) return;
  const std::filesystem::path& path = wanted.path;
  io::SplatFileInfo info;
  std::filesystem::path scene_path;
  {
    std::lock_guard lock(scene_mutex);
    scene_path = scene.splats;
    info = scene.file_info;
  }
  if (scene_path.empty())
    return log::error(fmt::format("'{}' cannot be added: no splat file is open that it could join", path.string()));
  if (wanted.with_opening && kept_edits(config, scene_path))
    return log::error(
        fmt::format("'{}' was not added: first restore or discard the edits of '{}' that were not saved, then add it",
                    path.string(), scene_path.string()));
  if (wanted.metres_per_unit) info.frame.metres_per_unit = *wanted.metres_per_unit;
  auto added = read_added(path, info.frame, info.antialiased, options.device.threads, &mine.watch);
  if (mine.watch.cancelled) return;
  if (!added) return log::error(added.error().message);
  for (const std::string& warning : added->warnings) log::warning(warning);
  added->file.metres_per_unit = wanted.metres_per_unit;
  engine.edit(options.device.threads,
              [this, scene_path, added = std::move(*added)](viewer::EngineModel& model) mutable {
                Editing& now = begin_editing();
                if (now.splats() != scene_path) return;  // another scene has been opened meanwhile
                const std::string name = added.name;
                if (const auto status = now.add(std::move(added), model); !status)
                  return log::error(status.error().message);
                if (auto changed = now.take_changed_rows(model.edited())) state.changed_rows.put(std::move(*changed));
                auto after = now.carry_out({}, model);
                if (!after) return log::error(after.error().message);
                after->step = viewer::EditStep::kAdd;
                state.edited.put(std::move(*after));
                now.keep(model.edited());
                log::info(fmt::format("'{}' was added", name));
              });
}

}  // namespace app
