// The window's own state, on the window's thread: what the application reported (Received), how the scene is looked at
// (Look), the open dialogs, and what the user has chosen. Panels read it and write the user's requests to it; requests
// to the application go through the bridge. Here are only the steps that concern several of its parts.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "studio/bridge.h"
#include "studio/documents/messages.h"
#include "studio/edit/edit_mode.h"
#include "studio/edit/messages.h"
#include "studio/feature.h"
#include "studio/model/messages.h"
#include "studio/window/dialogs.h"
#include "studio/window/left_alone.h"
#include "studio/window/received.h"
#include "studio/window/window_settings.h"
#include "viewer/dialogs/desktop_notifier.h"
#include "viewer/live/disposal.h"
#include "viewer/look.h"
#include "viewer/widgets/theme.h"

namespace studio {

// Facts about the program and its display that do not change while the window is open.
struct ProgramFacts {
  std::filesystem::path demo;  // the demo dataset; empty: not installed
  std::string version, gl_renderer;
  bool software_gl = false;
  bool attended = true;  // somebody can answer questions
};

struct Workspace;
void when_work_may_end(Workspace& work, std::function<void()> then);  // at once where none would be lost, else asks

struct Workspace {
  explicit Workspace(Bridge& bridge);
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  Bridge& bridge;
  Disposal disposal;
  ProgramFacts program;
  WindowSettings settings;
  Appearance appearance;  // as of the present frame: follows the settings and the display
  Received received;
  Look look;
  Dialogs dialogs;
  EditMode edit;
  splat::CameraPath path;  // of the scene: remembered with it, and played by its web page
  uint64_t paths_set = 0;  // counts up where that comes with another scene
  bool plays = false;      // it is played: frames follow each other
  std::set<int> left_out;  // views that the run is to go on without
  TrainingChoices choices;
  double now = 0;                   // s since the window opened
  std::string said;                 // what say() was last given
  std::filesystem::path said_file;  // that it speaks of, whose folder can be opened; empty: none
  double said_until = 0;            // s
  bool toggle_full_screen = false;  // by the window, once
  std::string clipboard;            // put there by the window, once
  bool in_front = true;             // the keyboard is this window's: no other hides it
  bool run_ended = false;           // since the last frame
  DesktopNotifier notifier;
  std::vector<std::unique_ptr<Feature>> features;  // add_features()
  bool hide_panels = false;                        // all of them, whatever the settings
  double hidden_at = -1e9;                         // s, when they were hidden
  bool reset_layout = false;                       // by the window, once

  // The application. Where that ends work whose loss would matter, the user is asked first, for every pair of both.
  template <class Request>
  void ask(Request request) {
    if constexpr (requires { request.ends_work(); })
      if (request.ends_work())
        return when_work_may_end(*this, [this, request = std::move(request)] { bridge.requests.put(request); });
    bridge.requests.put(std::move(request));
  }
  bool receive();  // takes what has arrived; true when there was anything
  template <class Call>
  void all(const Call& call) {  // of the features, in their order
    for (const auto& feature : features) call(*feature);
  }

  bool unsaved() const;        // edits, or what was made in a feature
  bool scene_covered() const;  // a feature shows something in its place
  bool trains() const;         // there is a run, or a feature trains
  bool edits() const { return edit.on && received.splats && !received.live(); }
  size_t splats_left() const;   // of the opened ones, without those that are deleted
  bool shows_crop_box() const;  // its edges are over the scene
  bool crops() const;           // and it can be dragged
  bool uses_engine() const;     // the engine draws, not OpenGL

  // What takes the place of what is open waits for edits that are not saved, and says so; or for what was made in a
  // feature, which that asks about: then it is done once more.
  bool must_wait(const std::function<void()>& again);
  void train();         // what the main button does: goes on with the run that can go on, else starts one
  void start_anew();    // asks first where a run would be replaced
  void continue_run();  // to the iteration continue_to()
  int& continue_to();   // chosen by the user, at first as long as the run was to be, or the next usual length

  void show_backdrop();  // as the settings say, behind what is open
  // Asks first where a run would end or edits would be lost; more: splat files that join it as objects.
  void open(const std::filesystem::path& path, const std::vector<std::filesystem::path>& more = {});
  void open_now(const std::filesystem::path& path, const std::vector<std::filesystem::path>& more);  // without asking
  void add(const std::filesystem::path& path);  // a splat file to those that are open
  void say(const std::string& text);            // in the log, and over the scene for a moment
  void show_for_a_moment(const std::string& text, const std::filesystem::path& saved = {});  // over the scene alone
  void say_nothing_is_there() { show_for_a_moment("nothing is there"); }                     // where one has clicked
  void ask_export(std::optional<uint32_t> object = {});  // of the edited splats, alone; none: of all
  std::vector<std::string> names_left_out() const;
  bool leaves_out_others() const;  // than the run did
  // Another one is looked at: its up axis and what was remembered of it.
  void set_scene(const Bounds& bounds, const Bounds& framed, const UpGuess& up, const SceneMemory& memory);
  void ask_to_close();  // asks first where a run or edits would be lost
  void close_now(bool keep_edits = false);
  // Begins and lists as file_question() says.
  void ask_file(FileDialog::Kind kind, const std::string& title, const std::string& suggested,
                std::function<void(const std::filesystem::path&)> answer, FileKinds kinds = {});

  // Requests to the application, each sent once when it has become due.
  void want_recent_pictures();  // of what the welcome page lists
  void want_photo();            // of the camera the navigator is at, when it is blended in
  void remember_scene();        // when its up axis or bookmarks have changed
  void save_settings();         // when they have changed and been left alone for a moment; the first call only looks

 private:
  void take_reports();
  void leave_scene(bool same);
  void scene_is_open();
  void drop_splats();
  void show_scene();
  void take_splats(OpenedSplats&& opened);
  void take_whole(OpenedSplats&& opened);
  void take_packed(PackedModel&& packed);
  void take_dataset(OpenedDataset&& opened);
  void take_growing(OpenedDataset&& opened);
  void forget_photos();
  bool asks_first(const std::function<void()>& then);  // a feature does, since what was made there is not saved
  void take_changed_rows(ChangedRows&& changed);
  void take_notice(Notice&& notice);
  void take_picked(const PickedPoint& picked);
  void take_training(TrainingState&& state);

  std::filesystem::path continued_;                   // the checkpoint that continue_to_ was proposed for
  int continue_to_ = 0;                               // iterations
  std::array<float, 3> trained_background_{0, 0, 0};  // [0,1] of what is open; photos: black
  SceneMemory remembered_;                            // as last sent to the application
  std::optional<WindowSettings> saved_;               // as last sent
  LeftAlone<WindowSettings> seen_;                    // as of the last frame
  std::vector<std::string> pictures_wanted_;          // the scenes whose pictures were requested
  int photo_wanted_ = -1;                             // the photo requested last
};

DisplaySettings drawn_settings(const Workspace& work);  // look.display, as far as it can be drawn now
const Palette& scene_colours(const Workspace& work);    // of lines in it: its background decides, not the panels'
// What is open, by its new name once it was saved as such; marked while edits are not saved.
std::string window_title(const Workspace& work);

}  // namespace studio
