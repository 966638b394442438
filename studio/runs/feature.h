// Training runs in the window: the settings of the next one and what it is expected to take, the present one with its
// curves, its end, and the list of all.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "studio/feature.h"
#include "studio/runs/all_settings.h"
#include "studio/runs/messages.h"
#include "studio/runs/opened_run.h"
#include "studio/runs/run_list.h"
#include "studio/window/left_alone.h"
#include "studio/window/workspace.h"
#include "viewer/widgets/plot.h"

namespace studio {

class RunsFeature final : public Feature {
 public:
  explicit RunsFeature(Workspace& shared);

  void scene_left(bool same) override;
  void scene_opened() override;
  void run_began() override { notice_.reset(); }
  void each_frame() override;
  void add_sections(Column column, std::vector<PanelSection>& sections) override;
  void draw_dialogs() override;
  void add_actions(const std::string& menu, std::vector<Action>& actions) override;
  void add_state(nlohmann::json& state) const override;

 private:
  void take_preview(RunPreview&& found);
  void take_history(RunHistory&& history);
  bool shows_training() const;                     // there is something of a run to be shown, or one can begin
  void want_prediction();                          // of the run that could begin, once its choices have been left alone
  void want_preview();                             // when the choices that decide it have changed
  void want_history(bool all = false);             // of the dataset that is open, or of the run
  void add_run_actions(std::vector<Action>& all);  // of the run that was clicked on
  void ask_history();
  void ask_results_folder();
  void want_recent();  // what the runs among the recent scenes are, once while nothing is open
  void note_end();

  void draw_training();  // training_panel.cpp
  void draw_beginning();
  void draw_settings();  // training_settings.cpp, before the start; like those that follow
  void all_settings_row();
  void draw_prediction();
  void draw_start_button();
  void draw_continue_button();
  void draw_run();         // run_panel.cpp, from the start on
  void draw_opened_run();  // likewise: of the splats that are open
  void draw_curves();
  void run_buttons();
  void result_buttons();
  void draw_notice();  // run_notice.cpp: over the scene, once a run has ended
  void replace_question();

  // What a run came to, until it was read.
  struct Notice {
    std::string title, text;
    std::filesystem::path output;  // its folder, with the report; empty: it has none
    std::optional<double> psnr, ssim;
  };
  std::optional<Notice> notice_;
  std::optional<RunPrediction> prediction_;
  std::optional<RunHistory> history_;      // none: not asked for, or not read yet
  std::optional<OutputTaken> taken_;       // until the user has answered
  LeftAlone<TrainingChoices> considered_;  // that the panel shows
  TrainingChoices previewed_;              // that the preview was requested for
  AllSettings settings_{work};
  RunList list_{work};
  OpenedRunView opened_{work};
  CurveHover hover_;
  std::optional<std::vector<std::string>> recent_asked_;  // for what is said of them
};

}  // namespace studio
