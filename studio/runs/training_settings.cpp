#include <imgui/imgui.h>
// Needs the one above.
#include <imgui/misc/cpp/imgui_stdlib.h>

#include <algorithm>

#include "studio/edit/crop_panel.h"
#include "studio/runs/feature.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

struct Preset {
  const char* name;
  const char* tip;
  int iterations, resolution, sh_degree;
};
constexpr Preset kPresets[] = {
    {"Fast", "A first look in minutes: 2000 iterations, photos reduced to 640 px, SH degree 2", 2000, 640, 2},
    {"Balanced", "Good for most scenes: 7000 iterations, photos up to 1600 px", 7000, 0, 3},
    {"Quality", "What papers report: 30000 iterations, photos up to 1600 px", 30000, 0, 3}};

void preset_buttons(Workspace& work) {
  const float gap = ImGui::GetStyle().ItemSpacing.x, width = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
  for (int i = 0; i < 3; ++i) {
    if (i > 0) ImGui::SameLine();
    const Preset& p = kPresets[i];
    const TrainingChoices& c = work.choices;
    const bool chosen = c.iterations == p.iterations && c.resolution == p.resolution && c.sh_degree == p.sh_degree;
    if (chosen ? main_button(work.appearance, p.name, p.tip, width) : button(p.name, p.tip, width)) {
      work.choices.iterations = p.iterations;
      work.choices.resolution = p.resolution;
      work.choices.sh_degree = p.sh_degree;
    }
  }
}

void resolution_row(TrainingChoices& c) {
  Row row("Photo size",
          "Training sees the photos at this size; smaller is faster and needs less memory. Default full size, up to "
          "1600 px on "
          "the longer side");
  static const int values[] = {0, 2, 4, 8, 1200, 800, 640};
  static const std::vector<const char*> names{"up to 1600 px", "half",   "quarter", "eighth",
                                              "1200 px",       "800 px", "640 px"};
  int index = int(std::find(std::begin(values), std::end(values), c.resolution) - std::begin(values));
  if (index >= int(names.size())) index = 0;
  if (choice("##resolution", &index, names)) c.resolution = values[index];
}

void backend_row(Workspace& work) {
  Row row("Device", "What trains. auto: a working GPU with the most memory, else the processor. Default auto");
  if (!ImGui::BeginCombo("##backend", work.choices.backend.c_str())) return;
  if (ImGui::Selectable("auto", work.choices.backend == "auto"))
    work.choices.backend = "auto", work.choices.device = -1;
  if (work.received.devices)
    for (const splat::BackendStatus& status : work.received.devices->backends) {
      const std::string label = status.name + (status.usable ? "" : "  (not usable here)");
      if (ImGui::Selectable(label.c_str(), work.choices.backend == status.name,
                            status.usable ? 0 : ImGuiSelectableFlags_Disabled))
        work.choices.backend = status.name;
      tooltip(status.reason.c_str());
    }
  ImGui::EndCombo();
}

const TrainingChoices kDefaults;

void count_row(const char* label, const char* id, const std::string& tip, int* value, int standard, int least,
               int step) {
  const std::string with_default = tip + ". Default " + std::to_string(standard);
  Row row(label, with_default.c_str());
  if (ImGui::InputInt(id, value, step, 10 * step)) *value = std::max(*value, least);
}

void main_settings(Workspace& work) {
  TrainingChoices& c = work.choices;
  count_row("Iterations", "##iterations", "Length of training; a run of 7000 has most of the quality of 30000",
            &c.iterations, kDefaults.iterations, 1, 1000);
  resolution_row(c);
  {
    Row row("SH degree", "Degree of view-dependent colour: 0 is smallest, 3 shows reflections. Default 3");
    degree_choice(work.appearance, &c.sh_degree);
  }
  backend_row(work);
  checkbox("Hold out photos", &c.hold_out,
           "Every 8th photo (More settings changes that) is kept out of training, to measure PSNR, SSIM and FLIP on "
           "photos that "
           "the run never saw. Default on");
}

// The crop box, which can be dragged over the scene as well.
void region_rows(Workspace& work) {
  bool on = work.choices.region.has_value();
  if (checkbox("Train in a box", &on,
               "Only what lies in the crop box is the result; photos count where they look into it. Drag its faces, "
               "arrows and rings over the scene. Default off")) {
    if (on && !work.edit.crop.box()) begin_crop_box(work);
    work.choices.region = on ? work.edit.crop.box() : std::nullopt;
    work.look.changed = true;
  }
  constexpr const char* kAlone = "region-alone";
  if (!work.choices.region) {
    work.choices.fine.erase(kAlone);
    return;
  }
  bool alone = work.choices.fine.contains(kAlone);
  if (checkbox("Drop what lies around", &alone,
               "Splats around the box go instead of being trained without growth: less memory, but what photos show "
               "behind the box stays in it. Default off"))
    alone ? (void)work.choices.fine.emplace(kAlone, "") : (void)work.choices.fine.erase(kAlone);
  draw_crop_panel(work);
}

void more_settings(Workspace& work) {
  TrainingChoices& c = work.choices;
  int most = int(std::min<uint64_t>(c.max_splats, 1'000'000'000));
  count_row("Splat limit", "##max", "Largest number of splats; 0: automatic, by the photos' pixels and by memory",
            &most, int(kDefaults.max_splats), 0, 100'000);
  c.max_splats = uint64_t(std::max(most, 0));
  if (c.hold_out)
    count_row("Hold out every", "##every", "Every N-th photo by name, from the first", &c.test_every,
              kDefaults.test_every, 2, 1);
  count_row("Checkpoint every", "##checkpoint", "Iterations between checkpoints; 0: only on request, and at the end",
            &c.checkpoint_every, kDefaults.checkpoint_every, 0, 1000);
  int seed = int(c.seed);
  count_row("Seed", "##seed", "The same seed gives the same splats", &seed, int(kDefaults.seed), 0, 1);
  c.seed = uint64_t(seed);
  checkbox("Antialiased", &c.antialias,
           "Train with Mip-Splatting's compensation: steadier when seen from further away. Default off");
  checkbox("Random background", &c.random_background,
           "A new background colour every iteration: nothing can hide in front of it. Default off: every second one "
           "where photos are transparent");
  if (!c.random_background) {
    Row row("Background", "Behind the splats while training. Default black");
    ImGui::ColorEdit3("##train_background", c.background.data(),
                      ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoLabel);
  }
}

// How many of the others differ from their defaults.

void output_row(Workspace& work) {
  ImGui::TextUnformatted("Results go to");
  tooltip("Folder for splats, checkpoints, metrics and the report, in the layout other tools read");
  std::string text = work.choices.output.string();
  const float width =
      ImGui::CalcTextSize("Choose...").x + 2 * ImGui::GetStyle().FramePadding.x + ImGui::GetStyle().ItemSpacing.x;
  ImGui::SetNextItemWidth(-width);
  if (ImGui::InputText("##output", &text)) work.choices.output = text;
  tooltip((text + "\nDefault: a new folder beside the dataset").c_str());
  ImGui::SameLine();
  if (button("Choose...", "Choose the folder"))
    work.ask_file(FileDialog::Kind::kResultsFolder, "Folder for the results", "",
                  [&](const auto& path) { work.choices.output = path; });
}

void preflight(const Workspace& work) {
  const OpenedDataset& d = *work.received.dataset;
  for (const std::string& line : d.preflight) {
    const size_t end = line.find("  ");
    const size_t value = end == std::string::npos ? end : line.find_first_not_of(' ', end);
    if (value == std::string::npos)
      faint_text(work.appearance, line);
    else
      fact(line.substr(0, end).c_str(), line.substr(value));
  }
}

}  // namespace

void RunsFeature::all_settings_row() {
  const size_t changed = work.choices.fine.size();
  const std::string label =
      "All settings..." + (changed > 0 ? " (" + count_text(changed) + " changed)" : "") + "###all_settings";
  if (button(label.c_str(), "Every setting that the command line has, by name, with a search", -1))
    shows_settings_ = true;
  if (!work.received.dataset->refused.empty())
    coloured_text(work.appearance.colours().bad, work.received.dataset->refused);
}

void RunsFeature::draw_settings() {
  if (!work.received.dataset) return;
  if (work.received.training.status == RunStatus::kNone && section("Dataset check")) {
    preflight(work);
    if (button("All runs of this dataset...", "Those that were made of it: settings, figures and curves", -1))
      ask_history();
  }
  if (section("Training settings")) {
    preset_buttons(work);
    main_settings(work);
    region_rows(work);
    if (ImGui::TreeNode("More settings")) {
      more_settings(work);
      ImGui::TreePop();
    }
    all_settings_row();
    output_row(work);
  }
}

// Two lines, whatever is known, so that the button below stays where it is.
void RunsFeature::draw_prediction() {
  const std::optional<RunPrediction>& p = prediction_;
  ImGui::BeginGroup();
  if (!p || !p->problem.empty()) {
    ImGui::TextDisabled("%s", p ? "Time and memory are not known:" : "Timing a few iterations...");
    ImGui::TextDisabled("%s", p ? elided(p->problem, ImGui::GetContentRegionAvail().x).c_str() : "");
  } else {
    ImGui::TextUnformatted(("About " + duration_text(p->seconds) + ", " + count_text(p->splats) + " splats").c_str());
    ImGui::TextDisabled("%s",
                        (bytes_text(p->memory_bytes) + " of memory, a file of " + bytes_text(p->result_bytes)).c_str());
  }
  ImGui::EndGroup();
  tooltip(
      p && !p->problem.empty()
          ? p->problem.c_str()
          : "What this run is expected to take, from a few iterations timed here with some of the photos, with as many "
            "splats as it begins and as it will end with. A machine that does other work meanwhile takes longer. The "
            "file is the .ply; .spz needs about a tenth of it");
}

void RunsFeature::draw_start_button() {
  const std::string tip = "Watch the scene form here; you can pause, look around and stop at any time";
  if (const Continuation* run = work.received.continuation();
      run && work.received.training.status == RunStatus::kNone) {
    coloured_text(work.appearance.colours().warning, "A run stopped at " + count_text(uint64_t(run->iteration)) +
                                                         " of " + count_text(uint64_t(run->iterations)) + ".");
    draw_continue_button();
    if (button("Start anew", (tip + ", in a folder of its own").c_str(), -1)) work.start_anew();
  } else if (main_button(work.appearance, "Start training", (tip + " (Ctrl+T)").c_str(), -1)) {
    work.start_anew();
  }
}

void RunsFeature::draw_continue_button() {
  const Continuation* run = work.received.continuation();
  if (!run) return;
  int& end = work.continue_to();
  const std::string label =
      "Continue from " + count_text(uint64_t(run->iteration)) + " to " + count_text(uint64_t(end)) + "###continue";
  const std::string tip = "Goes on from '" + run->checkpoint.string() + "', in the same folder (Ctrl+T)";
  if (main_button(work.appearance, label.c_str(), tip.c_str(), -1)) work.continue_run();
  Row row("Continue to", "The last iteration of the run that goes on");
  ImGui::InputInt("##continue_to", &end, 1000, 10000);
  end = std::max(end, run->iteration + 1);
}

}  // namespace viewer
