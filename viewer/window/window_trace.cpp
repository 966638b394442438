// The trace that tests follow a window by (WindowOptions::trace): a line for whatever changed, and the time of frames.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "viewer/widgets/widgets.h"
#include "viewer/window/window_impl.h"

namespace viewer {
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

// For a word of the trace.
std::string in_one_word(std::string text) {
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

}  // namespace

void Window::Impl::trace(const std::string& line) const {
  if (options_.trace) options_.trace(line);
}

void Window::Impl::trace_changes() {
  if (!options_.trace) return;
  if (frames_ == 1) trace("first frame, " + on_the_screen_now());
  trace_buttons();
  trace_engine_picture();
  const std::string state = traced_view() + traced_extras() + traced_edits() + traced_lists();
  if (state == traced_) return;
  traced_ = state;
  trace(state);
}

std::string Window::Impl::traced_view() const {
  const CameraState& c = work_.look.navigator.camera();
  char camera[160];
  std::snprintf(camera, sizeof camera, "camera %.4f %.4f %.4f forward %.4f %.4f %.4f", c.position.x, c.position.y,
                c.position.z, c.forward().x, c.forward().y, c.forward().z);
  const Vec3 up = work_.look.navigator.up();
  char axis[80];
  std::snprintf(axis, sizeof axis, " up %.3f %.3f %.3f", up.x, up.y, up.z);
  std::string text =
      std::string(camera) + axis + " mode " + (work_.look.navigator.mode() == NavigationMode::kFly ? "fly" : "orbit");
  text += " splats " + std::to_string(work_.received.splats ? work_.received.splat_rows : 0);
  text += " photos " + std::to_string(work_.received.cameras().size());
  text += " at-photo " + std::to_string(work_.look.navigator.photo().value_or(-1));
  text += " training " + std::to_string(int(work_.received.training.status)) + " iteration " +
          std::to_string(work_.received.training.iteration) + " trained " +
          std::to_string(work_.received.training.splats);
  text += " sorted " + number_text(viewport_.sort_ms(), "%.1f");
  text += std::string(" drawn-by ") + (work_.uses_engine() ? "engine" : "opengl");
  text += std::string(" shown ") + (viewport_.shows_splats() ? "1" : "0");
  text += std::string(" settled ") + (work_.received.anything_open() && viewport_.settled() ? "1" : "0");
  text += std::string(" keys ") + (work_.dialogs.show_keys ? "1" : "0") + " errors " +
          std::to_string(work_.received.errors.size());
  text += " panels " + std::to_string(int(has_left_)) + std::to_string(int(has_right_)) + std::to_string(int(has_log_));
  text += " scene " + std::to_string(int(scene_.x)) + " " + std::to_string(int(scene_.y)) + " " +
          std::to_string(int(scene_.width)) + " " + std::to_string(int(scene_.height));
  text += " detached " + std::to_string(dock_.alone().size());
  text += std::string(" asks ") + (work_.dialogs.show_edits_question ? "1" : "0");
  return text;
}

// What lies over the splats or in their place: a comparison, a city, a mesh, figures.
std::string Window::Impl::traced_extras() const {
  std::string text;
  if (work_.compare.on) {
    const auto& c = work_.received.comparison;
    text += " comparing " + std::to_string(work_.compare.view) + " split " + number_text(work_.compare.split, "%.3f") +
            " psnr " + number_text(c ? c->psnr : 0, "%.2f");
  }
  if (const auto& city = work_.received.city) {
    const auto done = std::count_if(city->blocks.begin(), city->blocks.end(),
                                    [](const CityBlock& block) { return block.stage == BlockStage::kDone; });
    text += " blocks " + std::to_string(city->blocks.size()) + " done " + std::to_string(done) + " part " +
            std::to_string(city->shown);
  }
  if (work_.received.mesh)
    text +=
        " mesh " + std::to_string(work_.received.mesh->faces) + " mesh-drawn " + (viewport_.shows_mesh() ? "1" : "0");
  text += " figures " + std::to_string(work_.compare.figures.size());
  return text;
}

std::string Window::Impl::traced_edits() const {
  std::string text;
  if (work_.edit.scene) {
    const EditedScene& e = *work_.edit.scene;
    text += std::string(" editing ") + (work_.edit.on ? "1" : "0") + " selected " + std::to_string(e.selected) +
            " hidden " + std::to_string(e.hidden) + " histogram " +
            std::to_string(e.histogram ? e.histogram->all.size() : 0) + " took " + number_text(e.milliseconds, "%.1f") +
            " locked " + std::to_string(e.locked) + " deleted " + std::to_string(e.deleted) + " unsaved " +
            (e.unsaved ? "1" : "0") + traced_objects();
  }
  if (work_.edit.scene && work_.edit.cleanup.looked_at()) {
    const Cleanup& cleanup = work_.edit.cleanup;
    const auto& groups = work_.edit.scene->groups;
    const std::optional<size_t> reason =
        cleanup.pointed_group ? std::optional(groups[*cleanup.pointed_group].reason) : cleanup.pointed_reason;
    text += " groups " + std::to_string(groups.size()) + " pointed " +
            (reason ? cleanup.proposal->reasons[*reason].name : "none");
  }
  if (const auto& box = work_.edit.crop.box(); box && !work_.edit.crop.dragging()) {
    text += " crop";
    for (const double value : box->centre()) text += " " + number_text(value, "%.6g");
    for (const double value : box->half()) text += " " + number_text(value, "%.6g");
    text += " crop-turn " + number_text(2 * std::acos(std::min(1.0, std::abs(box->rotation.w))), "%.4g");
  }
  if (const Measure& measure = work_.edit.measure; !measure.points().empty() || measure.metres_per_unit())
    text += " measured " + std::to_string(measure.points().size()) + " scale " +
            number_text(measure.metres_per_unit().value_or(0), "%.6g") + " length " +
            number_text(measure.last_length(), "%.6g");
  return text;
}

// What panels and dialogs list, and which panels are seen.
std::string Window::Impl::traced_lists() const {
  std::string text = " typed " + (work_.dialogs.show_palette ? "=" + in_one_word(work_.dialogs.palette_text) : "-");
  text += " thumbnails " + std::to_string(work_.received.thumbnails.size()) + " recent " +
          std::to_string(work_.received.recent_pictures.size()) + " predicted " +
          (work_.received.run_prediction ? "1" : "0") + " runs " +
          std::to_string(work_.received.run_history ? work_.received.run_history->runs.size() : 0);
  return text + " front" + dock_.in_front() + " .";
}

// " objects ALL SHOWN LOCKED", the one that is looked at, and the pairs that one is aligned by.
std::string Window::Impl::traced_objects() const {
  const std::vector<SceneObject>& objects = work_.edit.scene->objects;
  const auto count = [&](auto is) { return std::to_string(std::count_if(objects.begin(), objects.end(), is)); };
  std::string text = " objects " + std::to_string(objects.size()) + " " +
                     count([](const SceneObject& o) { return o.object.visible; }) + " " +
                     count([](const SceneObject& o) { return o.object.locked; });
  if (const auto at = work_.edit.objects.looked_at; at && *at < objects.size()) {
    text += " object " + in_one_word(objects[*at].object.name) + " " +
            number_text(objects[*at].object.placed.scale, "%.6g");
  }
  const AlignTool& align = work_.edit.align;
  text += " pairs " + std::to_string(2 * align.pairs().size() + (align.first() ? 1 : 0));
  if (align.shown().moves()) text += " landed 1";
  if (align.refined()) text += " refined " + number_text(align.refined()->rms, "%.6g");
  return text;
}

// "button LABEL AT X Y", px of the window, whenever that is new.
void Window::Impl::trace_buttons() {
  if (buttons_ == traced_buttons_) return;
  for (const auto& [label, place] : buttons_)
    if (const auto before = traced_buttons_.find(label); before == traced_buttons_.end() || before->second != place)
      trace("button " + label + " at " + std::to_string(place[0]) + " " + std::to_string(place[1]));
  traced_buttons_ = buttons_;
}

// "picture 1/DIVISOR drawn in M ms, on the screen at T after T, of N splats"; 0: of all.
void Window::Impl::trace_engine_picture() {
  if (viewport_.engine_pictures() == traced_pictures_) return;
  traced_pictures_ = viewport_.engine_pictures();
  trace("picture 1/" + std::to_string(viewport_.engine_divisor()) + " drawn in " +
        number_text(viewport_.engine_ms(), "%.1f") + " ms, " + on_the_screen_now() + ", of " +
        std::to_string(viewport_.engine_part()) + " splats");
}

void Window::Impl::trace_frame(const FrameTime& time) const {
  if (time.busy_ms() >= kTracedFrameMs) trace("frame " + frame_text(time));
}

void Window::Impl::trace_end() const {
  trace("frames " + std::to_string(frames_) + ", longest: " + frame_text(result_.longest_own) +
        ", with drawing: " + frame_text(result_.longest_busy));
  trace("opengl problems " + std::to_string(result_.opengl_problems));
}

}  // namespace viewer
