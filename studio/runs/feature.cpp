#include "studio/runs/feature.h"

#include <set>
#include <utility>

#include "studio/runs/run_words.h"
#include "viewer/widgets/widgets.h"

namespace studio {

RunsFeature::RunsFeature(Workspace& shared) : Feature(shared) {
  Bus& reports = work.bridge.reports;
  reports.on<RunPreview>([this](RunPreview&& found) { take_preview(std::move(found)); });
  reports.on<RunPrediction>([this](RunPrediction&& found) { prediction_ = std::move(found); });
  reports.on<RunHistory>([this](RunHistory&& history) { take_history(std::move(history)); });
  reports.on<OpenedRun>([this](OpenedRun&& opened) { opened_.take(std::move(opened)); });
  reports.on<OutputTaken>([this](OutputTaken&& taken) { taken_ = std::move(taken); });
  reports.on<CommandLine>([this](CommandLine&& line) {
    work.clipboard = std::move(line.text);
    work.say("copied: the command line that does the same");
  });
}

void RunsFeature::scene_left(bool same) {
  if (!same) opened_.forget(), history_.reset(), notice_.reset();
}

void RunsFeature::scene_opened() {
  if (!work.received.dataset || work.received.dataset->growing) return;
  want_history();
  considered_.clear();
  prediction_.reset();
  previewed_ = TrainingChoices{};  // what it was opened with
}

void RunsFeature::each_frame() {
  want_preview();
  want_prediction();
  want_recent();
}

// Held-out photos are found by name: a run may have left views out.
void RunsFeature::take_preview(RunPreview&& found) {
  if (!work.received.dataset) return;
  OpenedDataset& dataset = *work.received.dataset;
  dataset.refused = found.refused;
  if (!found.refused.empty()) return;
  const std::set<std::string> names(found.held_out.begin(), found.held_out.end());
  dataset.held_out = 0;
  for (PhotoCamera& camera : dataset.cameras) {
    camera.held_out = names.contains(camera.name);
    dataset.held_out += camera.held_out;
  }
  if (!found.lines.empty()) dataset.preflight = std::move(found.lines);
  ++work.received.cameras_changed;
  work.all([](Feature& feature) { feature.photos_changed(); });
}

void RunsFeature::want_preview() {
  if (!work.received.dataset || work.received.training_active()) return;
  const auto same = [](const TrainingChoices& a, const TrainingChoices& b) {
    return a.dataset == b.dataset && a.fine == b.fine;
  };
  if (same(previewed_, work.choices)) return;
  previewed_ = work.choices;
  work.ask(WantRunPreview{work.choices});
}

void RunsFeature::want_history(bool all) {
  work.ask(WantRunHistory{{work.settings.recent.begin(), work.settings.recent.end()}, all});
}

void RunsFeature::ask_history() {
  list_.open(!work.received.has_photos());
  history_.reset();
  want_history(list_.all);
}

void RunsFeature::want_recent() {
  if (work.received.anything_open()) return recent_asked_.reset();
  if (recent_asked_ == work.settings.recent || work.settings.recent.empty()) return;
  recent_asked_ = work.settings.recent;
  want_history(true);
}

// The newest counts: one that came to its end later makes an older one that did not a matter of the list of all runs.
void RunsFeature::take_history(RunHistory&& history) {
  work.received.about_recent.clear();
  for (const auto& [path, index] : history.newest_there)
    if (const std::string state = short_state(history.runs[index]); !state.empty())
      work.received.about_recent[path] = state;
  if (work.received.dataset && !history.all)
    work.received.stopped_run = history.runs.empty() ? std::nullopt : history.runs.front().stopped;
  list_.all = history.all;
  history_ = std::move(history);
}

void RunsFeature::ask_results_folder() {
  work.ask_file(FileDialog::Kind::kResultsFolder, "Folder for the results", "",
                [this](const auto& path) { work.choices.output = path; });
}

// What it depends on: not where it goes, nor how often it saves.
void RunsFeature::want_prediction() {
  const Received& received = work.received;
  if (!work.program.attended || !received.dataset || received.dataset->growing || received.training_active()) return;
  TrainingChoices now = work.choices;
  now.output.clear(), now.resume.clear();
  now.save.checkpoint_every = 0;
  considered_.changes(std::move(now), work.now);
  if (!considered_.due(work.now)) return;
  prediction_.reset();
  work.ask(WantRunPrediction{work.choices});
}

void RunsFeature::add_sections(Column column, std::vector<PanelSection>& sections) {
  if (column != Column::kRight) return;
  if (!shows_training()) return;
  sections.push_back({0, "", "Training", [this] { draw_training(); }});
  const PastRun* run = opened_.run();
  if (work.received.shows_run() || (run && !run->history.empty()))
    sections.push_back({10, "curves", "Curves", [this] { draw_curves(); }});
}

bool RunsFeature::shows_training() const {
  return work.received.dataset || work.received.continuation() || opened_.run();
}

void RunsFeature::draw_dialogs() {
  replace_question();
  list_.draw(history_);
  if (std::exchange(list_.asks_other, false)) history_.reset(), want_history(list_.all);
  draw_notice();
  settings_.draw();
}

void RunsFeature::replace_question() {
  if (!begin_modal("Replace the earlier run?", taken_.has_value())) return;
  if (!taken_) {
    ImGui::CloseCurrentPopup();
    return ImGui::EndPopup();
  }
  ImGui::TextWrapped("'%s' holds an earlier run. Starting anew there replaces its splats, figures and report.",
                     taken_->output.c_str());
  ImGui::Spacing();
  const std::string tip = "Keep the earlier run and write into '" + taken_->free.string() + "'";
  if (main_button(work.appearance, "Train into a new folder", tip.c_str(), 0) || work.dialogs.confirmed) {
    taken_->choices.output = work.choices.output = taken_->free;
    work.ask(StartTraining{taken_->choices});
    taken_.reset();
  }
  ImGui::SameLine();
  if (button("Replace it", "Start anew in this folder: what the earlier run wrote there is lost") && taken_) {
    work.ask(StartTraining{taken_->choices, true});
    taken_.reset();
  }
  ImGui::SameLine();
  if (button("Cancel", "Back to the window; nothing is started (Escape)") || work.dialogs.escaped) taken_.reset();
  if (!taken_) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

void RunsFeature::add_run_actions(std::vector<Action>& all) {
  const std::filesystem::path report = std::filesystem::path(work.dialogs.clicked->path) / "report.html";
  std::error_code code;
  all.push_back({.name = "Show its report",
                 .possible = std::filesystem::exists(report, code),
                 .run = [this, report] { open_outside(work, report); },
                 .menu = "Run"});
}

void RunsFeature::add_actions(const std::string& wanted, std::vector<Action>& all) {
  if (wanted == menu_of(Thing::kRun)) add_run_actions(all);
  if (wanted != "Training") return;
  const RunStatus status = work.received.training.status;
  const bool active = work.received.training_active(), startable = work.received.dataset && !active;
  const bool continuable = work.received.continuation() != nullptr;
  const auto send = [this](auto request) { return [this, request] { work.ask(request); }; };
  const char* const menu = "Training";
  all.push_back({.name = "Continue training",
                 .keys = "Ctrl+T",
                 .possible = continuable,
                 .run = [this] { work.continue_run(); },
                 .menu = continuable ? menu : nullptr,
                 .label = "Continue"});
  all.push_back({.name = continuable ? "Start training anew" : "Start training",
                 .keys = continuable ? "" : "Ctrl+T",
                 .possible = startable,
                 .run = [this] { work.start_anew(); },
                 .menu = menu,
                 .label = continuable ? "Start anew" : "Start"});
  all.push_back({.name = "All settings of training",
                 .possible = startable,
                 .run = [this] { settings_.show(); },
                 .menu = menu,
                 .label = "All settings..."});
  all.push_back({.name = "Choose where results go",
                 .possible = startable,
                 .run = [this] { ask_results_folder(); },
                 .menu = menu,
                 .label = "Choose where results go..."});
  const bool of_dataset = work.received.has_photos();
  all.push_back({.name = of_dataset ? "All runs of this dataset" : "All runs",
                 .run = [this] { ask_history(); },
                 .menu = menu,
                 .label = of_dataset ? "All runs of this dataset..." : "All runs..."});
  all.push_back({.name = "Copy the command line of the run",
                 .possible = work.received.dataset.has_value(),
                 .run = send(WantCommandLine{work.choices}),
                 .menu = menu,
                 .label = "Copy command line"});
  all.push_back({.name = "Pause training",
                 .keys = "Space",
                 .possible = status == RunStatus::kRunning,
                 .run = send(PauseTraining{}),
                 .menu = menu,
                 .label = "Pause"});
  all.push_back({.name = "Go on training",
                 .keys = "Space",
                 .possible = status == RunStatus::kPaused,
                 .run = send(ResumeTraining{}),
                 .menu = menu,
                 .label = "Go on"});
  all.push_back(
      {.name = "Stop training", .possible = active, .run = send(StopTraining{}), .menu = menu, .label = "Stop"});
  all.push_back(
      {.name = "Save checkpoint", .possible = work.received.live(), .run = send(SaveCheckpoint{}), .menu = menu});
}

void RunsFeature::add_state(nlohmann::json& state) const {
  state["predicted"] = prediction_.has_value();
  if (work.received.dataset) state["output"] = work.choices.output;
  state["runs"] = history_ ? history_->runs.size() : 0;
  if (const PastRun* run = opened_.run()) state["opened_run"] = state_text(*run);
}

}  // namespace studio
