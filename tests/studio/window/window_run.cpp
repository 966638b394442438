#include "tests/studio/window/window_run.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

namespace test {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kLook = std::chrono::milliseconds(20);

pid_t start(const std::vector<std::string>& words, const std::vector<std::pair<std::string, std::string>>& environment,
            const std::string& error_file) {
  const pid_t process = fork();
  if (process != 0) return process;
  for (const auto& [name, value] : environment)
    value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
  if (!freopen("/dev/null", "w", stdout)) _exit(126);
  if (!error_file.empty() && !freopen(error_file.c_str(), "w", stderr)) _exit(126);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

std::string in_one_word(std::string text) {
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

std::string words_of(const std::string& text) {  // with one blank between them
  std::istringstream words(text);
  std::string joined;
  for (std::string word; words >> word;) joined += (joined.empty() ? "" : " ") + word;
  return joined;
}

// Of the features' parts, those that are there.
void parse_features(const nlohmann::json& j, WindowState& s) {
  const auto part = [&](const char* name) { return j.value(name, nlohmann::json::object()); };
  if (const auto mask = part("mask"); !mask.empty())
    s.mask_view = mask.at("view"), s.mask_ready = mask.at("ready"), s.mask_steps = mask.at("steps"),
    s.mask_corners = mask.at("corners"), s.mask_asks = mask.at("asks");
  if (const auto compare = part("compare"); !compare.empty())
    s.compared = compare.at("view"), s.split = compare.at("split"), s.psnr = compare.at("psnr");
  s.figures = j.value("figures", size_t(0));
  s.blocks_forecast = j.value("blocks_forecast", false);
  if (const auto blocks = part("blocks"); !blocks.empty())
    s.blocks = blocks.at("all"), s.blocks_done = blocks.at("done"), s.part = blocks.at("part"),
    s.blocks_train = blocks.at("trains");
  if (const auto mesh = part("mesh"); !mesh.empty()) s.mesh = mesh.at("faces"), s.mesh_drawn = mesh.at("drawn");
  s.runs = j.value("runs", size_t(0));
  if (const auto path = part("path"); !path.empty()) {
    s.timeline = path.at("open"), s.playing = path.at("playing"), s.previewed = path.at("previewed"),
    s.film = path.at("ended");
    s.path_keys = path.at("keys"), s.path_chosen = path.at("chosen"), s.path_seconds = path.at("seconds");
    s.path_time = path.value("time", -1.0), s.path_at = path.value("at", std::array<double, 3>{});
  }
  if (const auto cleanup = part("cleanup"); !cleanup.empty())
    s.proposed = true, s.groups = cleanup.at("groups"), s.pointed = cleanup.at("pointed");
}

void parse_editing(const nlohmann::json& j, WindowState& s) {
  const auto part = [&](const char* name) { return j.value(name, nlohmann::json::object()); };
  if (const auto edit = part("edit"); !edit.empty()) {
    s.editing = edit.at("on"), s.tool = in_one_word(edit.at("tool")), s.unsaved = edit.at("unsaved");
    s.selected = edit.at("selected"), s.hidden = edit.at("hidden"), s.locked = edit.at("locked"),
    s.deleted = edit.at("deleted");
    s.histogram = edit.at("histogram");
  }
  if (const auto objects = part("objects"); !objects.empty())
    s.objects = objects.at("all"), s.shown_objects = objects.at("shown"), s.locked_objects = objects.at("locked");
  if (const auto object = part("object"); !object.empty())
    s.object_name = in_one_word(object.at("name")), s.object_scale = object.at("scale");
  if (const auto pairs = part("pairs"); !pairs.empty())
    s.pair_points = pairs.at("points"), s.landed = pairs.at("landed"), s.refined = pairs.value("refined", -1.0);
  if (const auto crop = part("crop"); !crop.empty()) {
    for (size_t i = 0; i < 3; ++i) s.crop[i] = crop.at("middle").at(i), s.crop[3 + i] = crop.at("half").at(i);
    s.crop_turn = crop.at("turn");
  }
  if (const auto measure = part("measure"); !measure.empty())
    s.measured = measure.at("points"), s.scale = measure.at("scale"), s.length = measure.at("length");
}

std::optional<WindowState> parse(const std::string& text) {
  const nlohmann::json j = nlohmann::json::parse(text, nullptr, false);
  if (j.is_discarded()) return std::nullopt;
  WindowState s;
  s.position = j.at("camera"), s.forward = j.at("forward"), s.up = j.at("up");
  s.mode = j.at("mode"), s.drawn_by = j.at("drawn_by");
  s.splats = j.at("splats"), s.photos = j.at("photos"), s.trained = j.at("trained");
  s.at_photo = j.at("at_photo"), s.training = j.at("training"), s.iteration = j.at("iteration");
  s.kept = j.at("kept"), s.errors = j.at("errors"), s.sorted_ms = j.at("sorted_ms");
  s.shown = j.at("shown"), s.settled = j.at("settled"), s.keys = j.at("keys"), s.listed = j.at("listed"),
  s.asks = j.at("asks");
  s.bookmark_pictures = j.at("bookmark_pictures");
  for (const bool seen : j.at("panels")) s.panels += seen ? '1' : '0';
  s.detached = j.at("detached"), s.alone = j.at("alone");
  s.in_front = words_of(j.at("in_front"));
  s.focus = in_one_word(j.at("focus"));
  s.typed = j.contains("typed") ? "=" + in_one_word(j.at("typed")) : "-";
  s.x = j.at("scene").at(0), s.y = j.at("scene").at(1), s.width = j.at("scene").at(2), s.height = j.at("scene").at(3);
  parse_features(j, s);
  parse_editing(j, s);
  return s.width > 0 ? std::optional(s) : std::nullopt;
}

}  // namespace

std::string settings_with_layout(int left_px, const std::string& panels) {
  const std::string text = panels + R"([Window][###right]
DockId=0x00000003

[Window][###log]
DockId=0x00000005

[Docking][Data]
DockSpace     ID=0x00001000 Pos=0,26 Size=1100,668 Split=X
  DockNode    ID=0x00000001 Parent=0x00001000 SizeRef=)" +
                           std::to_string(left_px) + R"(,668
  DockNode    ID=0x00000002 Parent=0x00001000 SizeRef=790,668 Split=X
    DockNode  ID=0x00000004 Parent=0x00000002 SizeRef=440,668 Split=Y
      DockNode ID=0x00000006 Parent=0x00000004 SizeRef=440,460 CentralNode=1
      DockNode ID=0x00000005 Parent=0x00000004 SizeRef=440,200
    DockNode  ID=0x00000003 Parent=0x00000002 SizeRef=360,668
)";
  std::string escaped;
  for (const char c : text) c == '\n' ? escaped += "\\n" : escaped += c;
  return "{\"layout\": \"" + escaped + "\"}";
}

WindowRun::WindowRun(std::vector<std::string> arguments, const Environment& more, const std::string& settings,
                     std::array<int, 2> size)
    : display_(size[0], size[1]) {
  xdotool_ = std::system("command -v xdotool >/dev/null") == 0;
  if (!can_run()) return;
  if (!settings.empty()) folder_.write("config/hipsplat/window.json", settings);
  arguments.insert(arguments.begin(), HIPSPLAT_PROGRAM);
  arguments.insert(arguments.end(), {"--size", std::to_string(size[0]) + "x" + std::to_string(size[1])});
  Environment environment{{"DISPLAY", display_.name()},
                          {"XDG_CONFIG_HOME", (folder_.path() / "config").string()},
                          {"XDG_CACHE_HOME", (folder_.path() / "cache").string()},
                          {"HIPSPLAT_OWN_FILE_DIALOG", "1"},
                          {"HIPSPLAT_WINDOW_TRACE", (folder_.path() / "trace").string()}};
  environment.insert(environment.end(), more.begin(), more.end());
  process_ = start(arguments, environment, (folder_.path() / "stderr").string());
}

WindowRun::~WindowRun() {
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

std::string WindowRun::trace_text() const {
  std::ifstream file(folder_.path() / "trace");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::optional<WindowState> WindowRun::state() const {
  std::string text = trace_text();
  text.resize(text.find_last_of('\n') + 1);  // whole lines
  const std::string start = "\nstate ";
  size_t begin = text.rfind(start);
  if (begin == std::string::npos) return std::nullopt;
  begin += start.size();
  return parse(text.substr(begin, text.find('\n', begin) - begin));
}

bool WindowRun::wait(const std::function<bool(const WindowState&)>& wanted, double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (Clock::now() < end) {
    if (const auto now = state(); now && wanted(*now)) return true;
    if (process_ > 0 && waitpid(process_, &code_, WNOHANG) == process_) process_ = -1;
    if (process_ < 0) break;
    std::this_thread::sleep_for(kLook);
  }
  std::ifstream said(folder_.path() / "stderr");
  ADD_FAILURE() << "the window did not come to the state that was waited for\n"
                << std::string(std::istreambuf_iterator<char>(said), {})
                << trace_text().substr(std::max<size_t>(trace_text().size(), 4000) - 4000);
  return false;
}

bool WindowRun::wait_for_change(const splat::Image8& before, double levels, double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (Clock::now() < end) {
    if (mean_difference(before, picture()) > levels) return true;
    std::this_thread::sleep_for(kLook);
  }
  return false;
}

LongestFrames WindowRun::longest_frames(size_t from) const {
  std::istringstream lines(trace_text().substr(from));
  LongestFrames longest;
  double own = 0, drawing = 0;
  for (std::string line; std::getline(lines, line);) {
    if (std::sscanf(line.c_str(), "frame own %lf drawing %lf", &own, &drawing) != 2) continue;
    longest.own = std::max(longest.own, own);
    longest.busy = std::max(longest.busy, own + drawing);
  }
  return longest;
}

void WindowRun::finish_frame() {
  for (const bool keys : {true, false}) {
    input("key F1");
    wait([&](const WindowState& s) { return s.keys == keys; });
  }
  const ptrdiff_t before = frames();  // the state comes before the frame is shown
  for (int i = 0; i < 40 && frames() < before + 2; ++i) std::this_thread::sleep_for(kLook);
}

ptrdiff_t WindowRun::frames() const {
  const std::string text = trace_text();
  return std::count(text.begin(), text.end(), '\n');
}

std::optional<std::array<int, 2>> WindowRun::place_of(const std::string& button) const {
  const std::string text = trace_text(), start = "\nbutton " + button + " at ";
  const size_t at = text.rfind(start);
  std::array<int, 2> place{};
  if (at == std::string::npos) return std::nullopt;
  if (std::sscanf(text.c_str() + at + start.size(), "%d %d", &place[0], &place[1]) != 2) return std::nullopt;
  return place;
}

void WindowRun::click(const std::string& button, int mouse_button) {
  // Popups move into the middle, which takes frames, and a busy machine has few of them a second.
  constexpr auto kSettled = std::chrono::milliseconds(300), kAtRest = std::chrono::milliseconds(1500);
  constexpr ptrdiff_t kFrames = 3;
  const auto end = Clock::now() + std::chrono::seconds(20);
  auto place = place_of(button);
  auto since = Clock::now();
  ptrdiff_t frames_before = frames();
  while (Clock::now() < end) {
    const auto settled = Clock::now() - since;
    if (place && (settled > kAtRest || (settled > kSettled && frames() >= frames_before + kFrames)))
      return input("mousemove " + std::to_string((*place)[0]) + " " + std::to_string((*place)[1]) +
                   " sleep 0.1 click " + std::to_string(mouse_button));
    std::this_thread::sleep_for(kLook);
    const auto now = place_of(button);
    if (now != place) place = now, since = Clock::now(), frames_before = frames();
  }
  ADD_FAILURE() << "there is no button '" << button << "'\n"
                << trace_text().substr(std::max<size_t>(trace_text().size(), 4000) - 4000);
}

void WindowRun::input(const std::string& xdotool_words) {
  const std::string command = "DISPLAY=" + display_.name() + " xdotool " + xdotool_words;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

void WindowRun::drag(int button, int from_x, int from_y, int to_x, int to_y) {
  constexpr int kSteps = 6;
  std::ostringstream words;
  words << "mousemove " << from_x << " " << from_y << " sleep 0.1 mousedown " << button << " sleep 0.1";
  for (int i = 1; i <= kSteps; ++i)
    words << " mousemove " << from_x + (to_x - from_x) * i / kSteps << " " << from_y + (to_y - from_y) * i / kSteps
          << " sleep 0.03";
  words << " mouseup " << button;
  input(words.str());
}

int WindowRun::wait_for_end(double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (process_ > 0 && Clock::now() < end) {
    if (waitpid(process_, &code_, WNOHANG) == process_) process_ = -1;
    std::this_thread::sleep_for(kLook);
  }
  return process_ < 0 && WIFEXITED(code_) ? WEXITSTATUS(code_) : -1;
}

int run_program(const std::vector<std::string>& words,
                const std::vector<std::pair<std::string, std::string>>& environment, std::string* said) {
  const splat::test::TempFolder folder;
  const std::string error_file = (folder.path() / "stderr").string();
  const pid_t process = start(words, environment, error_file);
  int status = 0;
  waitpid(process, &status, 0);
  std::ifstream file(error_file);
  if (said) said->assign(std::istreambuf_iterator<char>(file), {});
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

double process_cpu_seconds(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  text.erase(0, text.rfind(')') + 1);
  unsigned long user = 0, system = 0;
  std::sscanf(text.c_str(), " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system);
  return double(user + system) / double(sysconf(_SC_CLK_TCK));
}

double mean_difference(const splat::Image8& a, const splat::Image8& b) {
  EXPECT_EQ(a.pixels.size(), b.pixels.size());
  if (a.pixels.empty() || a.pixels.size() != b.pixels.size()) return 0;
  double sum = 0;
  for (size_t i = 0; i < a.pixels.size(); ++i) sum += std::abs(int(a.pixels[i]) - int(b.pixels[i]));
  return sum / double(a.pixels.size());
}

size_t distinct_colours(const splat::Image8& image, int x, int y, int width, int height) {
  std::set<int> colours;
  for (int row = y; row < y + height && row < image.height; ++row)
    for (int column = x; column < x + width && column < image.width; ++column) {
      const uint8_t* p = &image.pixels[3 * (size_t(row) * size_t(image.width) + size_t(column))];
      colours.insert((p[0] >> 3) << 10 | (p[1] >> 3) << 5 | p[2] >> 3);
    }
  return colours.size();
}

}  // namespace test
