// The dialog that asks how a dataset is to be planned in blocks, and says in words what would come of it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "studio/blocks/messages.h"
#include "studio/window/left_alone.h"
#include "studio/window/workspace.h"

namespace studio {

class PlanDialog {
 public:
  explicit PlanDialog(Workspace& shared);

  bool possible() const;  // there is a dataset that can be planned
  void ask();
  void draw();
  void planned() { begun_.clear(); }                             // what was begun is complete
  bool knows() const { return asks_ && forecast_.has_value(); }  // what would come of it

 private:
  void rows();
  void draw_forecast();
  void want_forecast();

  Workspace& work_;
  bool asks_ = false;
  BlocksChoices choices_;
  std::filesystem::path begun_;          // the scene whose plan was begun: it is asked for again as it was
  LeftAlone<BlocksChoices> considered_;  // that the dialog shows
  std::optional<BlocksForecast> forecast_;
};

}  // namespace studio
