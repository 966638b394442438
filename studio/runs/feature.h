// Training runs in the window: the settings of the next one and what it is expected to take, the present one with its
// curves, its end, and the list of all.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "studio/feature.h"
#include "studio/runs/messages.h"
#include "studio/runs/run_list.h"
#include "studio/window/workspace.h"

namespace viewer {

class RunsFeature final : public Feature {
 public:
  explicit RunsFeature(Workspace& shared);

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
  void want_prediction();  // of the run that could begin, once its choices have been left alone
  void want_preview();     // when the choices that decide it have changed
  void want_history();     // of the dataset that is open, or of the run
  void ask_history();
  void note_end();

  void draw_training();  // training_panel.cpp
  void draw_settings();  // training_settings.cpp, before the start; like those that follow
  void all_settings_row();
  void draw_prediction();
  void draw_start_button();
  void draw_continue_button();
  void draw_run();  // run_panel.cpp, from the start on
  void draw_curves() const;
  void run_buttons();
  void result_buttons();
  void draw_notice();                                    // run_notice.cpp: over the scene, once a run has ended
  void open_outside(const std::filesystem::path& path);  // by the desktop's own program for it
  void draw_all_settings();                              // all_settings.cpp
  void draw_settings_list();
  void replace_question();

  // What a run came to, until it was read.
  struct Notice {
    std::string text;
    std::filesystem::path output;  // its folder, with the report; empty: it has none
  };
  std::optional<Notice> notice_;
  std::optional<RunPrediction> prediction_;
  std::optional<RunHistory> history_;                      // none: not asked for, or not read yet
  std::optional<OutputTaken> taken_;                       // until the user has answered
  std::optional<TrainingChoices> predicted_, considered_;  // that was asked for; that the panel shows
  double considered_at_ = 0;                               // s, since when
  TrainingChoices previewed_;                              // that the preview was requested for
  float settings_height_ = 0;                              // as drawn last, ImGui units
  bool shows_settings_ = false;                            // all of them
  std::string settings_text_;                              // typed in their search
  RunList list_{work};
};

}  // namespace viewer
