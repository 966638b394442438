#include "studio/window/window_trace.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>

#include <imgui/imgui.h>

#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr double kTracedFrameMs = 1;  // shorter frames get no line

std::string frame_text(const FrameTime& time) {
  char text[96];
  std::snprintf(text, sizeof text, "own %.1f drawing %.1f delayed %.1f", time.own_ms, time.drawing_ms, time.delayed_ms);
  return text;
}

// "on the screen at T after P", in seconds of the steady clock and of the processor.
std::string on_the_screen_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return "on the screen at " + number_text(std::chrono::duration<double>(now).count(), "%.4f") + " after " +
         number_text(double(std::clock()) / CLOCKS_PER_SEC, "%.4f");
}

}  // namespace

void WindowTrace::trace(const std::string& line) const {
  if (write_) write_(line);
}

void WindowTrace::frame_is_shown() {
  ++frames_;
  if (!write_) return;
  if (frames_ == 1) trace("first frame, " + on_the_screen_now());
  trace_buttons();
  trace_engine_picture();
  const std::string now = "state " + state().dump();
  places_.focused.clear();
  if (now == traced_) return;
  traced_ = now;
  trace(now);
}

// The window's own part; each feature adds its own.
nlohmann::json WindowTrace::state() const {
  const Received& received = work_.received;
  const Navigator& navigator = work_.look.navigator;
  const auto numbers = [](const Vec3& v) {  // to what can be seen of a movement
    const auto rounded = [](double value) { return std::round(value * 1e4) / 1e4; };
    return nlohmann::json{rounded(v.x), rounded(v.y), rounded(v.z)};
  };
  nlohmann::json state{{"camera", numbers(navigator.camera().position)},
                       {"forward", numbers(navigator.camera().forward())},
                       {"up", numbers(navigator.up())},
                       {"mode", navigator.mode() == NavigationMode::kFly ? "fly" : "orbit"},
                       {"splats", received.splats ? received.splat_rows : 0},
                       {"photos", received.cameras().size()},
                       {"at_photo", navigator.photo().value_or(-1)},
                       {"training", int(received.training.status)},
                       {"iteration", received.training.iteration},
                       {"kept", received.training.kept},
                       {"trained", received.training.splats},
                       {"sorted_ms", viewport_.splats().sort_ms()},
                       {"drawn_by", work_.uses_engine() ? "engine" : "opengl"},
                       {"shown", viewport_.shows_splats()},
                       {"settled", received.anything_open() && viewport_.settled()},
                       {"keys", work_.dialogs.show_keys},
                       {"listed", work_.dialogs.file.shown_rows()},
                       {"errors", received.errors.size()},
                       {"asks", work_.dialogs.show_edits_question || work_.dialogs.show_close_question ||
                                    !work_.dialogs.after_work.empty()},
                       {"thumbnails", received.thumbnails.size()},
                       {"recent", received.recent_pictures.size()},
                       {"bookmark_pictures", received.bookmark_pictures.size()}};
  // Where the keyboard is: a control's name, "?" where it has none, "" in the scene.
  state["focus"] = !ImGui::GetIO().NavVisible ? "" : places_.focused.empty() ? "?" : places_.focused;
  if (work_.dialogs.show_palette) state["typed"] = work_.dialogs.palette_text;
  layout_.add_state(state);
  for (const auto& feature : work_.features) feature->add_state(state);
  return state;
}

// "button LABEL AT X Y", px of the window, whenever that is new.
void WindowTrace::trace_buttons() {
  if (places_.all == traced_places_) return;
  for (const auto& [label, place] : places_.all)
    if (const auto before = traced_places_.find(label); before == traced_places_.end() || before->second != place)
      trace("button " + label + " at " + std::to_string(place[0]) + " " + std::to_string(place[1]));
  traced_places_ = places_.all;
}

// "picture 1/DIVISOR drawn in M ms, on the screen at T after T, of N splats"; 0: of all.
void WindowTrace::trace_engine_picture() {
  const EngineLayer& engine = viewport_.engine();
  if (engine.pictures() == pictures_) return;
  pictures_ = engine.pictures();
  trace("picture 1/" + std::to_string(engine.newest().divisor) + " drawn in " +
        number_text(engine.newest().milliseconds, "%.1f") + " ms, " + on_the_screen_now() + ", of " +
        std::to_string(engine.newest().part) + " splats");
}

void WindowTrace::frame_took(const FrameTime& time) const {
  if (time.busy_ms() >= kTracedFrameMs) trace("frame " + frame_text(time));
}

void WindowTrace::end(const WindowResult& result) const {
  trace("frames " + std::to_string(frames_) + ", longest: " + frame_text(result.longest_own) +
        ", with drawing: " + frame_text(result.longest_busy));
  trace("opengl problems " + std::to_string(result.opengl_problems));
}

}  // namespace studio
