#include <imgui/imgui.h>
// Needs the one above.
#include <imgui/misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "studio/documents/result_place.h"
#include "studio/documents/training_choices.h"
#include "studio/runs/feature.h"
#include "studio/runs/setting_words.h"
#include "studio/runs/training_rows.h"
#include "studio/window/window_actions.h"
#include "viewer/widgets/widgets.h"

namespace studio {
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

void resolution_row(TrainingChoices& c) {
  Row row("Photo size",
          "Training sees the photos at this size; smaller is faster and needs less memory. Default full size, up to "
          "1600 px on "
          "the longer side");
  static const int values[] = {0, 2, 4, 8, 1200, 800, 640};
  static const std::vector<const char*> names{"up to 1600 px", "half",   "quarter", "eighth",
                                              "1200 px",       "800 px", "640 px"};
  int index = int(std::find(std::begin(values), std::end(values), c.dataset.resolution) - std::begin(values));
  if (index >= int(names.size())) index = 0;
  if (choice("##resolution", &index, names)) c.dataset.resolution = values[index];
}

void backend_row(Workspace& work) {
  Row row("Device", "What trains. auto: a working GPU with the most memory, else the processor. Default auto");
  if (!ImGui::BeginCombo("##backend", work.choices.device.backend.c_str())) return;
  if (ImGui::Selectable("auto", work.choices.device.backend == "auto"))
    work.choices.device.backend = "auto", work.choices.device.index = -1;
  if (work.received.devices)
    for (const splat::BackendStatus& status : work.received.devices->backends) {
      const std::string label = status.name + (status.usable ? "" : "  (not usable here)");
      if (ImGui::Selectable(label.c_str(), work.choices.device.backend == status.name,
                            status.usable ? 0 : ImGuiSelectableFlags_Disabled))
        work.choices.device.backend = status.name;
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
            &c.train.iterations, kDefaults.train.iterations, 1, 1000);
  resolution_row(c);
  {
    Row row("SH degree", "Degree of view-dependent colour: 0 is smallest, 3 shows reflections. Default 3");
    degree_choice(work.appearance, &c.train.sh_degree);
  }
  backend_row(work);
  checkbox("Hold out photos", &c.dataset.eval,
           "Every 8th photo (More settings changes that) is kept out of training, to measure PSNR, SSIM and FLIP on "
           "photos that "
           "the run never saw. Default on");
}

// The crop box, which can be dragged over the scene as well.
void region_rows(Workspace& work) {
  bool on = work.choices.has_region();
  if (checkbox("Train in a box", &on,
               "Only what lies in the crop box is the result; photos count where they look into it. Drag its faces, "
               "arrows and rings over the scene. Default off")) {
    if (on && !work.edit.crop.box()) work.edit.crop.begin(work);
    work.choices.train.region = on ? *work.edit.crop.box() : splat::Box{};
    work.look.changed = true;
  }
  if (!work.choices.has_region()) {
    work.choices.train.region_alone = false;
    return;
  }
  checkbox("Drop what lies around", &work.choices.train.region_alone,
           "Splats around the box go instead of being trained without growth: less memory, but what photos show behind "
           "the box stays in it. Default off");
  work.edit.crop.draw_panel(work);
}

void more_settings(Workspace& work) {
  TrainingChoices& c = work.choices;
  int most = int(std::min<uint64_t>(c.train.max_splats, 1'000'000'000));
  {
    Row row("Splat limit", "Largest number of splats. Default automatic: by the photos' pixels and by memory");
    if (count_field("##max", &most, 1'000'000'000)) c.train.max_splats = uint64_t(most);
  }
  if (c.dataset.eval)
    count_row("Hold out every", "##every", "Every N-th photo by name, from the first", &c.dataset.test_every,
              kDefaults.dataset.test_every, 2, 1);
  count_row("Checkpoint every", "##checkpoint", "Iterations between checkpoints; 0: only on request, and at the end",
            &c.save.checkpoint_every, kDefaults.save.checkpoint_every, 0, 1000);
  int seed = int(c.train.seed);
  count_row("Seed", "##seed", "The same seed gives the same splats", &seed, int(kDefaults.train.seed), 0, 1);
  c.train.seed = uint64_t(seed);
  checkbox("Antialiased", &c.train.antialias,
           "Train with Mip-Splatting's compensation: steadier when seen from further away. Default off");
  using splat::BackgroundMode;
  BackgroundMode& mode = c.train.background;
  const auto by_colour = [&] {
    const bool usual = c.train.background_colour == kDefaults.train.background_colour;
    mode = usual ? kDefaults.train.background : BackgroundMode::kColour;
  };
  bool random = mode == BackgroundMode::kRandom;
  if (checkbox(
          "Random background", &random,
          "A new background colour every iteration: nothing can hide in front of it. Default off: every second one "
          "where photos are transparent"))
    random ? void(mode = BackgroundMode::kRandom) : by_colour();
  if (!random) {
    Row row("Background", "Behind the splats while training. Default black");
    if (ImGui::ColorEdit3("##train_background", c.train.background_colour.data(),
                          ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoLabel))
      by_colour();
  }
}

}  // namespace

void RunsFeature::all_settings_row() {
  const size_t changed = work.choices.fine.size();
  const std::string label =
      "All settings..." + (changed > 0 ? " (" + count_text(changed) + " changed)" : "") + "###all_settings";
  if (button(label.c_str(), "Every setting of a run, with a search", -1)) settings_.show();
}

void draw_presets(Workspace& work) {
  EvenRow row(work.appearance, int(std::size(kPresets)));
  TrainingChoices& c = work.choices;
  for (const Preset& p : kPresets) {
    const bool chosen =
        c.train.iterations == p.iterations && c.dataset.resolution == p.resolution && c.train.sh_degree == p.sh_degree;
    if (!row.button(p.name, p.tip, chosen)) continue;
    c.train.iterations = p.iterations;
    c.dataset.resolution = p.resolution;
    c.train.sh_degree = p.sh_degree;
  }
}

void RunsFeature::draw_settings() {
  main_settings(work);
  region_rows(work);
  if (ImGui::TreeNode("More settings")) {
    more_settings(work);
    ImGui::TreePop();
  }
  all_settings_row();
}

void draw_output_row(Workspace& work) {
  ImGui::TextUnformatted("Results go to");
  tooltip("Folder for splats, checkpoints, metrics and the report, in the layout other tools read");
  std::string text = work.choices.output.string();
  const float width =
      ImGui::CalcTextSize("Choose...").x + 2 * ImGui::GetStyle().FramePadding.x + ImGui::GetStyle().ItemSpacing.x;
  ImGui::SetNextItemWidth(-width);
  if (ImGui::InputText("##output", &text, ImGuiInputTextFlags_ElideLeft)) work.choices.output = text;
  tooltip((text + "\nDefault: a new folder beside the dataset, or in ~/hipsplat where that cannot be written").c_str());
  ImGui::SameLine();
  if (button("Choose...", "Choose the folder"))
    if (const auto choose = feature_action(work, "Training", "Choose where results go")) choose->run();
  if (is_lost_at_the_next_start(work.choices.output))
    coloured_text(
        work.appearance.colours().warning,
        "Neither beside the photos nor in your home can be written: this temporary folder is emptied when the "
        "machine starts anew. Choose another to keep the results.");
}

void offer_blocks(Workspace& work, const std::optional<RunPrediction>& prediction) {
  const OpenedDataset& dataset = *work.received.dataset;
  if ((!prediction || prediction->fits) && dataset.needed_bytes <= dataset.available_bytes) return;
  const auto plan = feature_action(work, "Training", "Train in blocks");
  constexpr const char* kTip =
      "The memory of this machine does not hold all that the photos determine: parts of the scene can be trained one "
      "after another, or on other machines";
  if (plan && plan->possible && button("Too large here: train in blocks...", kTip, -1)) plan->run();
}

namespace {

// To the two digits that a prediction has: "9 min 30 s" is not 9 min 27 s when it is timed anew.
double rounded(double value) {
  const double unit = std::pow(10, std::max(std::floor(std::log10(std::max(value, 1.0))) - 1, 0.0));
  return unit * std::round(value / unit);
}

}  // namespace

// Two lines, whatever is known, so that the button below stays where it is.
void RunsFeature::draw_prediction() {
  const std::optional<RunPrediction>& p = prediction_;
  const std::string problem = p ? in_words(p->problem, training_settings()) : "";
  ImGui::BeginGroup();
  if (!p || !p->problem.empty()) {
    ImGui::TextDisabled("%s", p ? "Time and memory are not known:" : "Timing a few iterations...");
    ImGui::TextDisabled("%s", p ? elided(problem, ImGui::GetContentRegionAvail().x).c_str() : "");
  } else {
    const uint64_t splats = uint64_t(rounded(double(p->splats)));
    std::string time = duration_text(rounded(p->seconds));
    if (time.ends_with(" 00 s")) time.resize(time.size() - 5);
    ImGui::TextUnformatted(("About " + time + ", " + count_text(splats) + " splats").c_str());
    const std::string memory = bytes_text(p->memory_bytes), file = bytes_text(p->result_bytes),
                      words = memory + " of memory, a file of " + file;
    const bool fits = ImGui::CalcTextSize(words.c_str()).x <= ImGui::GetContentRegionAvail().x;
    ImGui::TextDisabled("%s", (fits ? words : memory + " memory, " + file + " file").c_str());
  }
  ImGui::EndGroup();
  tooltip(
      p && !p->problem.empty()
          ? problem.c_str()
          : "What this run is expected to take, from a few iterations timed here with some of the photos, with as many "
            "splats as it begins and as it will end with. A machine that does other work meanwhile takes longer. The "
            "file is the .ply; .spz needs about a tenth of it");
}

void RunsFeature::draw_start_button() {
  const std::string tip = "Watch the scene form here; you can pause, look around and stop at any time";
  if (const Continuation* run = work.received.continuation(); run && work.received.training.may_begin()) {
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

}  // namespace studio
