#include "studio/film/film_dialog.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "splat/core/counted.h"
#include "studio/window/form.h"
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

}  // namespace

FilmDialog::FilmDialog(Workspace& shared, const PathEditor& editor) : work_(shared), editor_(editor) {
  work_.bridge.reports.on<FilmPreview>([this](FilmPreview&& made) {
    if (!asks_ || made.film != considered_.choices()) return;  // it is what was chosen before
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

FilmRequest FilmDialog::choices() const {
  FilmRequest film;
  film.splats = source();
  film.path = editor_.path();
  film.settings = settings;
  const FilmSettings usual = FilmRequest::usual_film();
  if (is_film(ending_) || settings.projection != "normal") film.settings.depth = usual.depth;
  if (ending_ == ".mp4") film.settings.transparent = usual.transparent;
  if (ending_ != ".mp4" && ending_ != ".webm") film.settings.quality = usual.quality;
  return film;
}

void FilmDialog::take(const PathRead& read) {
  if (read.per_second > 0) settings.per_second = read.per_second;
  if (read.width > 0 && read.height > 0) settings.width = even(read.width), settings.height = even(read.height);
}

void FilmDialog::ask(double time) {
  asks_ = true;
  time_ = time;
  considered_.clear();
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
}

// As far as they count for the kind of file that is written.
void FilmDialog::look_rows() {
  named_choice_row("File",
                   ".mp4: H.264, which everything plays; .webm: VP9; .mov: ProRes, for editing programs; pictures: a "
                   "folder of PNG files. Default .mp4",
                   "##film_ending", ending_, {".mp4", ".webm", ".mov", kFolder});
  std::vector<OptionRow> rows;
  add_film_rows(rows, settings);
  std::erase_if(rows, [&](const OptionRow& row) {
    if (row.name == "crf") return ending_ != ".mp4" && ending_ != ".webm";
    if (row.name == "transparent") return ending_ == ".mp4";
    return row.name == "depth" && (ending_ != kFolder || settings.projection != "normal");
  });
  const std::string before = settings.projection;
  draw_form(rows);
  if (settings.projection == "360" && before != "360") settings.width = 3840, settings.height = 1920;
  if (settings.projection == "360") {
    settings.width = std::max(settings.width / 4 * 4, 2 * kLeastSide);
    settings.height = settings.width / 2;
  }
}

// For the dialog's present choices.
void FilmDialog::want_preview() {
  if (considered_.changes(choices(), work_.now)) preview_.reset();
  if (considered_.due(work_.now)) work_.ask(WantFilmPreview{*considered_.choices(), time_});
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
                   FilmRequest film = chosen;
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
