// A feature's part behind the window: answers its requests, and follows what is opened and closed. Each is made with
// the context of the session, puts handlers for its requests there, and works on threads of its own or the session's.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include "app/jobs/input/recognise.h"
#include "studio/names.h"

namespace studio {

class Service {
 public:
  Service() = default;
  virtual ~Service() = default;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // On the dispatcher's thread:
  virtual void leave_scene(std::optional<PathKind>) {}  // such a path is to be opened next; none: all is closed
  virtual void wind_down() {}                           // at the end: what goes on is given up
  // Between two requests; how soon it is to be called again at the latest, none: whenever there is a request.
  virtual std::optional<std::chrono::milliseconds> turn() { return std::nullopt; }

  // On the thread that opens, while documents are locked: another scene is in place, or nothing; same: its splats are
  // those that were open, now with their dataset.
  virtual void scene_changed(bool /*same*/) {}
  // On the same thread: these splats are open; restores: with the edits that were kept of them.
  virtual void splats_opened(const std::filesystem::path& /*path*/, bool /*restores*/) {}
};

}  // namespace studio
