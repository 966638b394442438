#include "studio/window/window.h"

#include <glad/gl.h>
// GLFW after glad.
#include <GLFW/glfw3.h>
#include <imgui/backends/imgui_impl_glfw.h>
#include <imgui/backends/imgui_impl_opengl3.h>
#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>
#include <implot/implot.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <thread>
#include <utility>

#include "studio/window/features.h"
#include "studio/window/panels.h"
#include "studio/window/photo_frusta.h"
#include "studio/window/scene_overlay.h"
#include "studio/window/scene_place.h"
#include "studio/window/window_impl.h"
#include "studio/window/window_picture.h"
#include "viewer/shell/lost_display.h"
#include "viewer/shell/typing_frame.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr double kScreenshotSeconds = 120;  // until a picture must be complete
constexpr int kScreenshotFrames = 4;        // until ImGui has laid everything out

}  // namespace

Window::Impl::Impl(const WindowOptions& options, Bridge& bridge, std::unique_ptr<GlWindow> window)
    : options_(options), window_(std::move(window)), work_(bridge), viewport_(work_) {
  work_.settings = settings_from_text(options.settings);
  work_.save_settings();
  work_.program.version = options.version;
  work_.program.demo = options.demo;
  work_.program.gl_renderer = window_->renderer();
  work_.program.attended = !options.screenshot;
  work_.program.software_gl = window_->software();
  work_.look.navigator.set_settings(work_.settings.navigation);
  add_features(work_);
  work_.bridge.reports.on<PictureToCopy>([this](PictureToCopy&& made) { take_picture_to_copy(work_, made); });
  install_callbacks();
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImPlot::CreateContext();
  fonts_.load(interface_fonts());
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard | ImGuiConfigFlags_DockingEnable;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.ConfigNavEscapeClearFocusWindow = true;
  io.UserData = trace_.places();
  layout_.load();
  ImGui_ImplGlfw_InitForOpenGL(window_->handle(), true);
  ImGui_ImplOpenGL3_Init("#version 330 core");
  const auto wake = [] {
    if (!LostDisplay::lost()) glfwPostEmptyEvent();
  };
  bridge.reports.set_waker(wake);
  work_.dialogs.file.set_waker(wake);
}

Window::Impl::~Impl() {
  work_.bridge.reports.set_waker({});
  work_.dialogs.file.set_waker({});
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImPlot::DestroyContext();
  ImGui::DestroyContext();
}

splat::Status Window::Impl::build() { return viewport_.build(); }

// ---- the loop

void Window::Impl::apply_appearance() {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_->handle(), &x, &y);
  const float scale = std::clamp(x, 0.75f, 4.0f) * work_.settings.interface_scale;
  if (scale == applied_scale_ && work_.settings.theme == work_.appearance.theme) return;
  applied_scale_ = work_.appearance.scale = scale;
  work_.appearance.theme = work_.settings.theme;
  apply_theme(work_.appearance.theme, scale);
  work_.look.changed = true;
  touched();
}

void Window::Impl::frame() {
  const double passed = pace_.begin_frame();
  work_.now = pace_.frame_began();
  work_.in_front = glfwGetWindowAttrib(window_->handle(), GLFW_FOCUSED) == GLFW_TRUE;
  if (work_.receive()) pace_.want_frames(DockLayout::kFramesToSettle);
  saved_ = work_.dialogs.may_close;
  work_.look.navigator.update(passed);
  if (const auto pick = work_.look.navigator.take_pick())
    work_.ask(PickPoint{work_.look.navigator.view(), pick->x, pick->y});
  work_.want_recent_pictures();
  work_.want_photo();
  forget_old_message(work_);
  work_.all([](Feature& feature) { feature.each_frame(); });
  work_.remember_scene();
  if (std::exchange(work_.toggle_full_screen, false)) toggle_full_screen();
  follow_hidden_panels();
  if (!work_.clipboard.empty()) glfwSetClipboardString(window_->handle(), std::exchange(work_.clipboard, {}).c_str());
  if (resized_) note_window_size();
  if (!options_.screenshot) work_.save_settings();
  name_window();

  apply_appearance();
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  begin_typing_frame();
  if (!ImGui::GetCurrentContext()->InputEventsQueue.empty()) touched();  // one press and release a frame
  pixels_per_unit_ = std::max(ImGui::GetIO().DisplayFramebufferScale.x, 0.1f);
  layout_.update(window_->full_screen());
  draw_scene();
  layout_.draw(viewport_, frame_ms_, window_->full_screen());
  const bool covered = work_.dialogs.file.is_open() || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  ImGui::Render();
  if (!work_.dialogs.picture.window_file.empty()) save_window_picture(covered);
  pace_.clock().enter(FrameClock::Part::kDrawing);
  present();
  pace_.clock().enter(FrameClock::Part::kOwn);
  frame_ms_ = (glfwGetTime() - pace_.frame_began()) * 1e3;
  ++frames_;
  note_frame_time();
  trace_.frame_is_shown();
}

// On the whole screen the scene is alone at first.
void Window::Impl::toggle_full_screen() {
  window_->toggle_full_screen();
  const bool fills = window_->full_screen();
  if (fills) hidden_before_ = work_.hide_panels;
  work_.hide_panels = fills || hidden_before_;
  work_.hidden_at = work_.now;
}

// The hint of how they come back fades.
void Window::Impl::follow_hidden_panels() {
  constexpr double kFadingAfter = 3.7, kGoneAfter = 5.3;  // s; see draw_hidden_hint()
  if (work_.hide_panels && !were_hidden_) work_.hidden_at = work_.now;
  were_hidden_ = work_.hide_panels;
  const double since = work_.now - work_.hidden_at;
  if (work_.hide_panels && since > kFadingAfter && since < kGoneAfter) pace_.want_frames(1);
}

void Window::Impl::draw_scene() {
  const bool due = viewport_.update(std::max(1, int(std::lround(layout_.scene().width * pixels_per_unit_))),
                                    std::max(1, int(std::lround(layout_.scene().height * pixels_per_unit_))));
  if (due) {
    pace_.clock().enter(FrameClock::Part::kDrawing);
    viewport_.draw();
    pace_.clock().enter(FrameClock::Part::kOwn);
  }
  ImGui::GetBackgroundDrawList()->AddImage(
      texture_id(viewport_.texture()), {layout_.scene().x, layout_.scene().y},
      {layout_.scene().x + layout_.scene().width, layout_.scene().y + layout_.scene().height});
  const ScenePlace place{layout_.scene().x, layout_.scene().y, layout_.scene().width, layout_.scene().height,
                         pixels_per_unit_};
  if (const auto photo = viewport_.photo_frame()) dim_around_photo(work_, place, *photo);
  draw_photos_in_cameras(work_, place);
  const bool over_scene = pace_.drags == 0 && !ImGui::GetIO().WantCaptureMouse && !work_.scene_covered() &&
                          !work_.edits() && layout_.scene().contains(mouse_x_, mouse_y_);
  const InputEvent pointer = mouse_event(InputEvent::Kind::kMove, {});
  draw_pointed_photo(work_, over_scene ? viewport_.camera_at(pointer.x, pointer.y) : -1);
  work_.all([&](Feature& feature) { feature.draw_over_scene(place); });
}

void Window::Impl::present() {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_->handle(), &width, &height);
  if (!options_.screenshot && width > 0 && height > 0) {
    glViewport(0, 0, width, height);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    glfwSwapBuffers(window_->handle());
  }
}

void Window::Impl::note_frame_time() {
  const FrameTime time = pace_.end_frame();
  if (time.own_ms > result_.longest_own.own_ms) result_.longest_own = time;
  if (time.busy_ms() > result_.longest_busy.busy_ms()) result_.longest_busy = time;
  trace_.frame_took(time);
}

splat::Result<WindowResult> Window::Impl::run() {
  LostDisplay display([this] { leave_without_display(); });
  pace_.begin();
  while (!work_.dialogs.may_close) {
    pace_.wait_for_something();
    display.check();
    frame();
    if (glfwWindowShouldClose(window_->handle())) {
      glfwSetWindowShouldClose(window_->handle(), GLFW_FALSE);
      work_.ask_to_close();
    }
    close_if_interrupted();
    if (!options_.screenshot || work_.dialogs.closing || !screenshot_due()) continue;
    result_.screenshot = window_picture(window_->handle());
    if (!work_.received.errors.empty()) result_.error = work_.received.errors.front().text;
    work_.close_now();
  }
  if (options_.screenshot && !result_.screenshot)
    return splat::Error{"the window was closed before its picture was taken"};
  note_window_size();
  result_.settings = settings_text(work_.settings);
  result_.opengl_problems = window_->problems();
  trace_.end(result_);
  return std::move(result_);
}

void Window::Impl::name_window() {
  const std::string title = window_title(work_);
  if (title == title_) return;
  title_ = title;
  glfwSetWindowTitle(window_->handle(), title.c_str());
}

void Window::Impl::close_if_interrupted() {
  if (!options_.interrupted || !options_.interrupted()) return;
  work_.dialogs.show_close_question = work_.trains();  // which says what is being waited for
  work_.close_now(true);
}

// As by "Save and close", while the window's own thread stands still.
void Window::Impl::leave_without_display() {
  constexpr auto kLook = std::chrono::milliseconds(10);
  work_.ask(Quit{true});
  while (!saved_ && !work_.bridge.reports.take<QuitDone>()) std::this_thread::sleep_for(kLook);
  if (options_.display_lost) options_.display_lost();
  std::_Exit(EXIT_FAILURE);
}

void Window::Impl::note_window_size() {
  resized_ = false;
  if (options_.screenshot || window_->full_screen()) return;
  WindowSettings& s = work_.settings;
  s.maximized = glfwGetWindowAttrib(window_->handle(), GLFW_MAXIMIZED);
  if (!s.maximized && options_.width == 0) glfwGetWindowSize(window_->handle(), &s.width, &s.height);
}

// ---- a picture of it all

bool Window::Impl::screenshot_due() const {
  if (frames_ < kScreenshotFrames) return false;
  if (options_.screenshot_after >= 0) return work_.now >= options_.screenshot_after;
  if (work_.now > kScreenshotSeconds || !work_.received.errors.empty()) return true;
  if (!work_.received.devices || !work_.received.progress.what.empty()) return false;
  if (!work_.received.anything_open()) return !options_.opening;
  const bool all_thumbnails =
      !work_.received.has_photos() || work_.received.thumbnails.size() == work_.received.cameras().size();
  const auto photo = work_.look.navigator.photo();
  const bool blended =
      !photo || !work_.received.has_photos() || work_.look.photo_blend <= 0 || work_.received.photo_view == *photo;
  return all_thumbnails && blended && viewport_.settled();
}

// Once nothing has covered it for a moment.
void Window::Impl::save_window_picture(bool covered) {
  touched();
  uncovered_frames_ = covered ? 0 : uncovered_frames_ + 1;
  if (uncovered_frames_ < kScreenshotFrames) return;
  uncovered_frames_ = 0;
  work_.ask(SavePicture{std::exchange(work_.dialogs.picture.window_file, {}), window_picture(window_->handle())});
}

namespace {

// Mesa's software OpenGL draws with threads of its own, which wait for the processor beside those that train and draw
// splats: frames take three times as long as without them. Where OpenGL is to draw the splats they are needed.
void draw_without_threads_of_opengl() { setenv("LP_NUM_THREADS", "0", 0); }  // NOLINT(concurrency-mt-unsafe): at start

}  // namespace

// ---- the public face

Window::Window(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Window::~Window() = default;

splat::Result<std::unique_ptr<Window>> Window::open(const WindowOptions& options, Bridge& bridge) {
  const WindowSettings settings = settings_from_text(options.settings);
  if (settings.renderer != RendererChoice::kOpenGl) draw_without_threads_of_opengl();
  GlWindowOptions gl;
  gl.width = options.width > 0 ? options.width : settings.width;
  gl.height = options.height > 0 ? options.height : settings.height;
  gl.fits = options.width == 0 && !options.screenshot;
  gl.visible = !options.screenshot;
  gl.debug = options.debug;
  SPLAT_ASSIGN_OR_RETURN(auto gl_window, GlWindow::open(gl));
  if (settings.maximized && options.width == 0 && !options.screenshot) glfwMaximizeWindow(gl_window->handle());
  auto impl = std::make_unique<Impl>(options, bridge, std::move(gl_window));
  SPLAT_TRY(impl->build());
  return std::unique_ptr<Window>(new Window(std::move(impl)));
}

splat::Result<WindowResult> Window::run() { return impl_->run(); }

}  // namespace studio
