#include "studio/film/film_dialog.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "splat/core/counted.h"
#include "studio/window/panels.h"
#include "viewer/dialogs/desktop_open.h"
#include "viewer/scene_name.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr int kLeastSide = 16, kMostSide = 16384;  // px
constexpr const char* kFolder = "pictures";

int even(int side) { return std::clamp(side / 2 * 2, kLeastSide, kMostSide); }

bool is_film(const std::string& ending) { return ending != kFolder; }

double most(double value, double low, double high) { return std::clamp(value, low, high); }

}  // namespace

FilmDialog::FilmDialog(Workspace& shared, const PathEditor& editor) : work_(shared), editor_(editor) {
  work_.bridge.reports.on<FilmPreview>([this](FilmPreview&& made) {
    if (!asks_ || !considered_ || made.film != *considered_) return;  // it is what was chosen before
    picture_.clear();
    if (made.problem.empty()) picture_.set(made.picture);
    made.picture = {};
    preview_ = std::move(made);
  });
  work_.bridge.reports.on<FilmEnded>([this](FilmEnded&& ended) {
    if (!work_.in_front && work_.program.attended)
      work_.notifier.show(ended.whole ? "The film is done" : "The film was stopped", ended.sentence);
    ended_ = std::move(ended);
  });
}

// Splats that are in a file as they are shown.
bool FilmDialog::possible() const {
  const Received& received = work_.received;
  return received.splats && !received.training_active() && received.progress.what.empty() && !source().empty();
}

std::filesystem::path FilmDialog::source() const {
  const std::optional<OpenedSplats>& splats = work_.received.splats;
  if (work_.edit.scene && !work_.edit.scene->saved_as.empty()) return work_.edit.scene->saved_as;
  if (splats && splats->iteration >= 0) return work_.received.training.output;
  return splats ? splats->path : std::filesystem::path();
}

FilmChoices FilmDialog::choices() const {
  FilmChoices film;
  film.splats = source();
  film.path = editor_.path();
  film.settings = settings;
  if (is_film(ending_) || settings.projection != "normal") film.settings.depth = false;
  return film;
}

void FilmDialog::take(const PathRead& read) {
  if (read.per_second > 0) settings.per_second = read.per_second;
  if (read.width > 0 && read.height > 0) settings.width = even(read.width), settings.height = even(read.height);
}

void FilmDialog::ask(double time) {
  asks_ = true;
  time_ = time;
  considered_.reset();
}

void FilmDialog::size_rows() {
  struct Preset {
    const char* name;
    int width, height;  // px
  };
  constexpr Preset kPresets[] = {{"1280x720", 1280, 720},
                                 {"1920x1080", 1920, 1080},
                                 {"3840x2160", 3840, 2160},
                                 {"1080x1920", 1080, 1920},
                                 {"1080x1080", 1080, 1080}};
  {
    EvenRow row(work_.appearance, int(std::size(kPresets)));
    for (const Preset& preset : kPresets)
      if (row.button(preset.name, "Pixels of a picture",
                     settings.width == preset.width && settings.height == preset.height))
        settings.width = preset.width, settings.height = preset.height;
  }
  {
    Row row("Width", "Pixels, even. Default 1920");
    if (ImGui::InputInt("##film_width", &settings.width, 16, 160)) settings.width = even(settings.width);
    note_place("##film_width");
  }
  {
    Row row("Height", "Pixels, even. Default 1080");
    if (ImGui::InputInt("##film_height", &settings.height, 16, 160)) settings.height = even(settings.height);
    note_place("##film_height");
  }
  Row row("Pictures a second", "Default 30, or what the path's file says");
  if (ImGui::InputDouble("##film_fps", &settings.per_second, 1, 10, "%g"))
    settings.per_second = most(settings.per_second, 1, 240);
  note_place("##film_fps");
}

void FilmDialog::look_rows() {
  named_choice_row("File",
                   ".mp4: H.264, which everything plays; .webm: VP9; .mov: ProRes, for editing programs; pictures: a "
                   "folder of PNG files. Default .mp4",
                   "##film_ending", ending_, {".mp4", ".webm", ".mov", kFolder});
  if (ending_ == ".mp4" || ending_ == ".webm") {
    Row row("Quality", "CRF: less is better, 18 looks like the pictures, each 6 more halve the file. Default 18");
    float quality = float(settings.quality);
    if (slider("##film_quality", &quality, {0, 51, 18, "%.0f"})) settings.quality = int(std::lround(quality));
  }
  const std::string before = settings.projection;
  named_choice_row("Projection",
                   "normal; 360: all directions, twice as wide as high; stereo: left and right eye side by side. "
                   "Default normal",
                   "##film_projection", settings.projection, {"normal", "360", "stereo"});
  if (settings.projection == "360" && before != "360") settings.width = 3840, settings.height = 1920;
  if (settings.projection == "360") {
    settings.width = std::max(settings.width / 4 * 4, 2 * kLeastSide);
    settings.height = settings.width / 2;
  }
  {
    Row row(
        "Samples",
        "How many drawings a picture is the mean of, each at another place within the pixel. Default automatic: 1, or "
        "16 with a shutter or a lens");
    count_field("##film_samples", &settings.samples, 4096);
  }
  float shutter = float(settings.shutter), lens = float(settings.aperture);
  {
    Row row("Shutter", "Motion blur: the part of a picture's time that the shutter is open; films have 0.5. Default 0");
    if (slider("##film_shutter", &shutter, {0, 1, 0})) settings.shutter = std::round(100 * double(shutter)) / 100;
  }
  {
    Row row("Lens", "Depth of field: its diameter in units of the scene; sharp at the path's target. Default 0");
    if (ImGui::InputFloat("##film_lens", &lens, 0.01f, 0.1f, "%.3f"))
      settings.aperture = std::round(1e4 * std::max(0.0, double(lens))) / 1e4;
  }
  ImGui::BeginDisabled(ending_ == ".mp4");
  bool transparent = settings.transparent && ending_ != ".mp4";
  checkbox("Transparent", &transparent, "Without background: .webm, .mov and pictures. Default off");
  settings.transparent = transparent;
  ImGui::EndDisabled();
  if (ending_ == kFolder && settings.projection == "normal")
    checkbox("Depth maps", &settings.depth, "16 bits, beside each picture. Default off");
}

// For the dialog's present choices, once they have been left alone for a moment.
void FilmDialog::want_preview() {
  constexpr double kLeftAlone = 0.5;  // s
  FilmChoices now = choices();
  if (considered_ != now) {
    considered_ = std::move(now), considered_at_ = work_.now;
    wanted_ = false;
    preview_.reset();
  }
  if (wanted_ || work_.now - considered_at_ < kLeftAlone) return;
  wanted_ = true;
  work_.ask(WantFilmPreview{*considered_, time_});
}

// As large whatever is known, so that the buttons stay where they are.
void FilmDialog::draw_preview() {
  const float width = ImGui::GetContentRegionAvail().x;
  const float high = std::min(11 * ImGui::GetFontSize(), 0.28f * ImGui::GetMainViewport()->Size.y);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, high});
  tooltip("The picture at the timeline's time, smaller than in the film where that is large");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, {corner.x + width, corner.y + high}, ImGui::GetColorU32(ImGuiCol_FrameBg));
  if (!preview_ || !preview_->problem.empty() || picture_.empty()) return;
  const float by = std::min(width / float(picture_.width()), high / float(picture_.height()));
  const ImVec2 size{by * float(picture_.width()), by * float(picture_.height())};
  const ImVec2 at{corner.x + (width - size.x) / 2, corner.y + (high - size.y) / 2};
  list.AddImage(texture_id(picture_.texture()), at, {at.x + size.x, at.y + size.y});
}

void FilmDialog::draw_prediction() {
  const double pictures = std::max(1.0, std::round(editor_.seconds() * settings.per_second));
  const bool known = preview_ && preview_->problem.empty();
  std::string first = count_text(uint64_t(pictures)) + " " + splat::noun(uint64_t(pictures), "picture") + ", " +
                      number_text(editor_.seconds(), "%.2f s");
  if (known) first += ": about " + duration_text(preview_->seconds) + " to draw";
  std::string second = known      ? "It is drawn while the window can be used, and encoded beside that"
                       : preview_ ? preview_->problem
                                  : "Drawing a picture...";
  if (known && !is_film(ending_))
    second = "About " + bytes_text(uint64_t(pictures) * preview_->picture_bytes) + " of PNG files";
  if (work_.edit.unsaved()) second = "Edits that are not saved are not in the film: save the splats first (Ctrl+S)";
  ImGui::TextUnformatted(first.c_str());
  ImGui::TextDisabled("%s", elided(second, ImGui::GetContentRegionAvail().x).c_str());
  tooltip(known ? "From the pace of one picture. A machine that does other work meanwhile takes longer"
                : second.c_str());
}

// Another scene may be open once the file is chosen: the film is the one that was shown.
void FilmDialog::ask_where() {
  const std::string name = scene_name(source()), plain = name.substr(0, name.find_first_of(".,", 1));
  const std::string film = (plain.empty() ? "film" : plain) + (is_film(ending_) ? ending_ : "-pictures");
  work_.ask_file(FileDialog::Kind::kSaveFile, is_film(ending_) ? "Save film" : "Folder for the pictures", film,
                 [this, chosen = choices()](const std::filesystem::path& path) {
                   FilmChoices film = chosen;
                   film.output = path;
                   ended_.reset();
                   work_.ask(MakeFilm{std::move(film)});
                 });
}

void FilmDialog::draw() {
  draw_notice();
  if (!begin_modal("Make a film", asks_, 34)) return;
  if (!possible() || editor_.empty()) {  // another scene has come, or comes
    asks_ = false;
    ImGui::CloseCurrentPopup();
    return ImGui::EndPopup();
  }
  ImGui::BeginChild("choices",
                    {0, std::min(11 * ImGui::GetFrameHeightWithSpacing(), 0.42f * ImGui::GetMainViewport()->Size.y)},
                    ImGuiChildFlags_NavFlattened);
  size_rows();
  look_rows();
  ImGui::EndChild();
  want_preview();
  draw_preview();
  draw_prediction();
  ImGui::Spacing();
  const bool make =
      main_button(work_.appearance, "Make it...", "Choose the file; the window can be used meanwhile", 0) ||
      work_.dialogs.confirmed;
  ImGui::SameLine();
  const bool cancel = button("Cancel###film_cancel", "Back to the window (Escape)") || work_.dialogs.escaped;
  if (make || cancel || !asks_) {
    asks_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  if (make) ask_where();
}

void FilmDialog::draw_notice() {
  if (!ended_ || work_.hide_panels) return;
  const ImVec2 size = ImGui::GetMainViewport()->Size;
  ImGui::SetNextWindowPos({size.x / 2, notices_end(work_)}, ImGuiCond_Always, {0.5f, 1});
  ImGui::SetNextWindowSize({std::min(34 * ImGui::GetFontSize(), size.x * 0.9f), 0});
  bool read = false;
  const auto open = [&](const std::filesystem::path& path) {
    if (!open_with_desktop(path)) work_.say("xdg-open is not installed; open '" + path.string() + "' by hand");
  };
  if (ImGui::Begin("##film_notice", nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoDocking |
                       ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav)) {
    coloured_text(ended_->whole ? work_.appearance.colours().good : work_.appearance.colours().warning,
                  ended_->sentence);
    EvenRow row(work_.appearance, ended_->whole ? 4 : 2);
    if (ended_->whole && row.button("Play film###film_play", "In the program that the desktop has for it"))
      open(ended_->output);
    if (ended_->whole && row.button("Open folder###film_folder", ended_->output.c_str()))
      open(ended_->output.parent_path());
    if (row.button("Copy command###film_command", ended_->command.c_str()))
      work_.clipboard = ended_->command, work_.say("copied: the command line that makes the same film");
    read = row.button("Close###film_close", "It stays in the log");
  }
  ImGui::End();
  if (read) ended_.reset();
}

}  // namespace studio
