// The run whose splats are open: what it is and what it came to, for the panel at the right.
#pragma once

#include <filesystem>
#include <optional>

#include "studio/runs/messages.h"
#include "studio/window/workspace.h"

namespace studio {

class OpenedRunView {
 public:
  explicit OpenedRunView(Workspace& work) : work_(work) {}
  void take(OpenedRun&& opened);
  void forget() { opened_.reset(); }
  const PastRun* run() const;  // null: the splats are no run's, or it goes on

  // Only where there is a run: its name, state and picture; buttons, true: all runs are asked for; its figures.
  void draw_head();
  bool draw_buttons();
  void draw_figures() const;

 private:
  Workspace& work_;
  std::optional<OpenedRun> opened_;
};

void open_outside(Workspace& work, const std::filesystem::path& path);  // by the desktop's own program for it

}  // namespace studio
