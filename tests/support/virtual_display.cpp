#include "tests/support/virtual_display.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace test {
namespace {

constexpr int kStartMs = 20'000;

[[noreturn]] void become_xvfb(int width, int height, int display_fd, const std::string& folder) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // ends with the test, also when that crashes
  const std::string screen = std::to_string(width) + "x" + std::to_string(height) + "x24";
  const std::string fd = std::to_string(display_fd);
  if (!freopen("/dev/null", "w", stderr)) _exit(126);
  execlp("Xvfb", "Xvfb", "-displayfd", fd.c_str(), "-screen", "0", screen.c_str(), "-nolisten", "tcp", "-noreset",
         "-fbdir", folder.c_str(), static_cast<char*>(nullptr));
  _exit(127);
}

std::string read_number(int fd) {
  std::string text;
  pollfd wait{fd, POLLIN, 0};
  for (char c; poll(&wait, 1, kStartMs) > 0 && read(fd, &c, 1) == 1 && c != '\n';) text += c;
  return text;
}

}  // namespace

VirtualDisplay::VirtualDisplay(int width, int height) {
  int ends[2];
  if (pipe(ends) != 0) return;
  process_ = fork();
  if (process_ == 0) become_xvfb(width, height, ends[1], folder_.path().string());
  close(ends[1]);
  const std::string number = process_ > 0 ? read_number(ends[0]) : "";
  close(ends[0]);
  if (number.empty()) return;
  name_ = ":" + number;
  setenv("DISPLAY", name_.c_str(), 1);
  unsetenv("WAYLAND_DISPLAY");
}

// The file is an X window dump: 32-bit big-endian words of header, a colour map of 12 bytes an entry, then rows of
// BGRX.
splat::Image8 VirtualDisplay::picture() const {
  constexpr size_t kHeaderSize = 0, kWidth = 4, kHeight = 5, kRowBytes = 12, kColours = 19, kWords = 25;
  std::ifstream file(folder_.path() / "Xvfb_screen0", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (bytes.size() < 4 * kWords) return {};
  const auto word = [&](size_t index) {
    size_t value = 0;
    for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[4 * index + i]);
    return value;
  };
  const size_t start = word(kHeaderSize) + 12 * word(kColours), row = word(kRowBytes);
  splat::Image8 image{int(word(kWidth)), int(word(kHeight)), 3, {}};
  if (bytes.size() < start + row * word(kHeight)) return {};
  image.pixels.resize(size_t(image.width) * size_t(image.height) * 3);
  for (size_t y = 0; y < size_t(image.height); ++y)
    for (size_t x = 0; x < size_t(image.width); ++x)
      for (size_t c = 0; c < 3; ++c)
        image.pixels[3 * (y * size_t(image.width) + x) + c] = uint8_t(bytes[start + y * row + 4 * x + 2 - c]);
  return image;
}

void VirtualDisplay::end_by(int signal) {
  if (process_ <= 0) return;
  kill(process_, signal);
  waitpid(process_, nullptr, 0);
  process_ = -1;
}

void VirtualDisplay::crash() { end_by(SIGKILL); }

VirtualDisplay::~VirtualDisplay() { end_by(SIGTERM); }

}  // namespace test
