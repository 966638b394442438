// Everything the window shows and changes, on the window's thread: what the application told last, how it is looked at,
// and what the user has open. Panels draw from it and put their wishes into it; the application hears of them through
// the command queue.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "viewer/app_state.h"
#include "viewer/camera/navigator.h"
#include "viewer/dialogs/file_dialog.h"
#include "viewer/draw/canvas.h"
#include "viewer/live/disposal.h"
#include "viewer/widgets/theme.h"
#include "viewer/window_settings.h"

namespace viewer {

struct LogLine {
  NoticeKind kind;
  std::string text, time;  // "14:03:07"
};

// What "Save picture" saves; sizes in px.
struct PictureChoice {
  int width = 0, height = 0;          // of the scene's picture
  bool tied = true;                   // to the shape of the scene in the window
  bool whole_window = false;          // with its panels, as large as it is on the screen
  bool asking = false;                // the dialog is open
  std::filesystem::path window_file;  // the whole window is to be saved there, once no dialog covers it
};

struct Workspace {
  explicit Workspace(AppState& app_state) : app(app_state) {}

  AppState& app;
  Disposal disposal;
  WindowSettings settings;
  Fonts fonts;
  float scale = 1;             // of the interface: the display's times the user's
  std::filesystem::path demo;  // the demo dataset; empty: not installed
  std::string version, gl_renderer;
  bool software_gl = false;
  double now = 0;  // s since the window opened

  // ---- what the application told
  std::optional<OpenedSplats> splats;
  std::optional<OpenedDataset> dataset;
  uint64_t splats_loaded = 0;  // counts up: tells the viewport that there are new ones
  uint64_t dataset_loaded = 0, cameras_changed = 0;
  TrainingState training;
  WorkProgress work;
  std::optional<Devices> devices;
  std::optional<EngineImage> engine_image;  // newest; moved to the GPU by the viewport
  std::deque<LogLine> log;
  std::deque<std::string> errors;            // that pop up, oldest first
  std::map<int, PictureTexture> thumbnails;  // by view
  int photo_view = -1, photo_wanted = -1;    // of photo
  PictureTexture photo;
  std::optional<Comparison> comparison;  // its pictures are in the two textures
  PictureTexture comparison_render, comparison_photo;

  // ---- how it is looked at
  Navigator navigator;
  UpGuess guessed_up;  // of what is open
  RenderSettings render;
  float photo_blend = 0;      // [0,1] of the photo over the scene, at a photo's camera
  bool scene_changed = true;  // the viewport must be drawn again

  // ---- what is open and chosen
  TrainingChoices choices;
  int preset = 1;          // fast, balanced, quality; -1: changed by hand
  int compared_view = -1;  // of the dataset, in the comparison
  float compared_split = 0.5f;
  PictureChoice picture;                                       // to be saved
  int export_format = 0, export_degree = splat::kMaxShDegree;  // of Devices::formats
  bool ask_export = false;
  bool log_counts = false;    // histograms with logarithmic counts
  float settings_height = 0;  // of the training settings as drawn last, ImGui units
  bool show_keys = false, show_about = false, hide_panels = false;
  bool confirmed = false;  // Enter was pressed: the first button of the question that is open
  bool ask_close = false, closing = false, may_close = false;
  std::filesystem::path opening_after_question;  // a file to open once the user agrees to end the run
  bool ask_open = false;
  FileDialog dialog;
  std::function<void(const std::filesystem::path&)> dialog_answer;

  // Takes what has arrived; true when there was anything.
  bool receive();

  bool training_active() const;  // preparing, running, paused or stopping
  bool live() const;             // the picture is the training run's
  bool uses_engine() const;      // the engine draws, not OpenGL
  bool anything_open() const { return splats || dataset; }

  // The photos' cameras: the dataset's, else those that the splats came with. Index = view everywhere.
  const std::vector<PhotoCamera>& cameras() const;
  bool has_photos() const { return dataset || (splats && splats->has_photos); }
  bool comparable(int view) const;           // a held-out photo, or any where none is held out
  bool trains_now() const;                   // a run goes on: only what its own model shows can be drawn
  RenderSettings drawn_settings() const;     // `render`, as far as it can be drawn now
  std::filesystem::path scene_path() const;  // of what is open; empty: nothing

  void open(const std::filesystem::path& path);  // asks first where a run would end
  void ask_to_close();
  void close_now();
  void ask_file(FileDialog::Kind kind, const std::string& title, const std::string& suggested,
                std::function<void(const std::filesystem::path&)> answer);
  void want_photo();      // of the camera the navigator is at, when it is blended in
  void want_preflight();  // when the choices that decide it have changed
  void remember_scene();  // when its up axis or bookmarks have changed
  void say(NoticeKind kind, std::string text);

 private:
  void drop_splats();
  void take_splats(OpenedSplats&& opened);
  void take_dataset(OpenedDataset&& opened);
  void take_preflight(Preflight&& found);
  void set_scene(const Bounds& bounds, const UpGuess& up, const SceneMemory& memory);
  void forget_photos();
  void look_at_scene();
  void look_from_photo(int view);
  void choose_compared();
  void take_notice(Notice&& notice);

  SceneMemory remembered_;    // what the application knows of the open scene
  TrainingChoices foreseen_;  // that the preflight is of
};

}  // namespace viewer
