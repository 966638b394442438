#include "app/cli/terminal/standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <initializer_list>

namespace app {

void open_standard_streams() {
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY) < 0) return;
}

void print_text(const std::string& text) {
  const std::string shown = splat::printable(text, true);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
}

void print_lines(const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    print_text(text.substr(at, end - at));
    at = end;
  }
}

bool flush_results() {
  const bool failed = std::fflush(stdout) != 0;
  if (!failed && !std::ferror(stdout)) return true;
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace app
