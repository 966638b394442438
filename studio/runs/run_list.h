// A window with the runs of the dataset that is open, or of all: a picture, how far they are, their figures, in what
// they differ, and their curves over each other.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "studio/runs/messages.h"
#include "studio/window/workspace.h"

namespace studio {

class RunList {
 public:
  explicit RunList(Workspace& work) : work_(work) {}
  void open(bool of_all);
  void draw(const std::optional<RunHistory>& history);  // none: it is not known yet

  bool is_open = false;
  bool all = false;         // of every dataset
  bool asks_other = false;  // `all` was changed: another history is to be asked for

 private:
  bool which_row();
  void want_pictures(const RunHistory& history);
  void run_picture(const std::string& folder);
  void draw_table(const RunHistory& history);
  void draw_row(const PastRun& run, size_t index);
  void draw_curves(const RunHistory& history);

  Workspace& work_;
  std::set<std::string> hidden_;  // whose curves are not drawn, by folder
  int curve_ = 0;                 // 0: PSNR, 1: loss, 2: splats
  bool log_curves_ = false;       // on logarithmic axes
  std::vector<std::filesystem::path> pictures_wanted_;
};

}  // namespace studio
