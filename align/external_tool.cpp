#include "align/external_tool.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <memory>

#include "align/line_splitter.h"
#include "splat/core/system.h"

namespace align {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kKeptLines = 40;
constexpr int kTickMs = 100;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// What the keeper reports when the program ended, or could not be started.
struct Report {
  int start_error = 0;  // errno of fork or exec
  int status = 0;       // of wait4
  uint64_t peak_bytes = 0;
};

class Pipe {
 public:
  // A socket tells its writer that nobody reads any more; a pipe sends a signal.
  explicit Pipe(bool socket = false) {
    const int made = socket ? ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds_) : ::pipe2(fds_, O_CLOEXEC);
    if (made != 0) fds_[0] = fds_[1] = -1;
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  bool ok() const { return fds_[0] >= 0; }
  int read_end() const { return fds_[0]; }
  int write_end() const { return fds_[1]; }
  void close_write() { close_end(1); }
  void close_read() { close_end(0); }

 private:
  void close_end(int end) {
    if (fds_[end] >= 0) ::close(fds_[end]);
    fds_[end] = -1;
  }
  int fds_[2];
};

// ---- the keeper: a fork of a process with threads, so only async-signal-safe calls

extern "C" void end_whole_group(int) {
  ::kill(0, SIGKILL);  // the keeper's group, itself included
}

struct Prepared {  // made before the fork
  std::vector<char*> words, environment;
  int in = -1, out = -1, err = -1, report = -1;  // in: -1: nothing to read
  int our_end = -1;                              // of `in`: while it is open, the program finds no end
  const char* folder = nullptr;
  pid_t parent = 0;
};

void default_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ, SIGCHLD}) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void become_program(const Prepared& prepared, int error_pipe) {
  default_signals();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // should the keeper be ended by the system
  ::dup2(prepared.in >= 0 ? prepared.in : ::open("/dev/null", O_RDONLY), 0);
  ::dup2(prepared.out, 1);
  ::dup2(prepared.err, 2);
  if (!prepared.folder || ::chdir(prepared.folder) == 0)
    ::execve(prepared.words[0], prepared.words.data(), prepared.environment.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(error_pipe, &error, sizeof error);
  ::_exit(127);
}

[[noreturn]] void keep(const Prepared& prepared) {
  ::setpgid(0, 0);
  struct sigaction action {};
  action.sa_handler = end_whole_group;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGTERM, &action, nullptr);
  for (const int signal : {SIGINT, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(signal, SIG_IGN);
  ::signal(SIGCHLD, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != prepared.parent) ::_exit(1);  // it died before that

  if (prepared.our_end >= 0) ::close(prepared.our_end);
  Report report;
  int errors[2];
  const pid_t child = ::pipe2(errors, O_CLOEXEC) == 0 ? ::fork() : -1;
  if (child < 0) report.start_error = errno;
  if (child == 0) become_program(prepared, errors[1]);
  ::close(prepared.out);
  ::close(prepared.err);
  if (prepared.in >= 0) ::close(prepared.in);
  if (child > 0) {
    ::close(errors[1]);
    rusage usage{};
    while (::wait4(child, &report.status, 0, &usage) < 0 && errno == EINTR) {
    }
    int error = 0;
    if (::read(errors[0], &error, sizeof error) == sizeof error) report.start_error = error;
    report.peak_bytes = uint64_t(usage.ru_maxrss) * 1024;
  }
  [[maybe_unused]] const ssize_t written = ::write(prepared.report, &report, sizeof report);
  ::kill(0, SIGKILL);  // whatever the program left running, and the keeper
  ::_exit(0);
}

// ---- our side

// Processes that the system ended for lack of memory, since it was started; 0 where it does not say.
uint64_t out_of_memory_kills() {
  std::ifstream file("/proc/vmstat");
  std::string name;
  for (uint64_t value = 0; file >> name >> value;)
    if (name == "oom_kill") return value;
  return 0;
}

bool contains(const std::vector<std::string>& lines, std::initializer_list<std::string_view> words) {
  for (const std::string& line : lines)
    for (const std::string_view word : words)
      if (line.find(word) != std::string::npos) return true;
  return false;
}

class Run {
 public:
  explicit Run(const ToolCommand& command)
      : command_(command), splitter_([this](std::string_view text, bool continued) { line(text, continued); }) {
    if (!command.log.empty()) log_.open(command.log, std::ios::app | std::ios::binary);
  }
  ~Run() {
    if (keeper_ > 0 && !reaped_) reap();  // a callback threw
  }

  ToolResult run() {
    const Clock::time_point start = Clock::now();
    if (begin()) {
      read_until_end();
      reap();
      judge();
    }
    result_.seconds = seconds_since(start);
    return std::move(result_);
  }

 private:
  bool begin();
  void read_until_end();
  bool read_some(int fd, bool lines);
  bool write_some();
  void cancel_if_asked();
  void reap();
  void judge();
  void line(std::string_view text, bool continued);

  const ToolCommand& command_;
  LineSplitter splitter_;
  std::ofstream log_;
  ToolResult result_;
  Pipe lines_, bytes_, report_pipe_, input_{true};
  std::string_view unread_;  // of the input, by the program
  pid_t keeper_ = -1;
  bool reaped_ = false, said_to_end_ = false, killed_ = false;
  Clock::time_point ended_at_{};
  uint64_t memory_kills_before_ = 0;
};

bool Run::begin() {
  std::error_code code;  // a program that is named from here is another one from its folder
  const std::string program =
      command_.folder.empty() ? command_.program.string() : fs::absolute(command_.program, code).string();
  std::vector<std::string> words{program}, environment = command_.environment;
  words.insert(words.end(), command_.arguments.begin(), command_.arguments.end());
  for (char** entry = environ; *entry; ++entry) environment.emplace_back(*entry);
  Prepared prepared;
  for (std::string& word : words) prepared.words.push_back(word.data());
  for (std::string& entry : environment) prepared.environment.push_back(entry.data());
  prepared.words.push_back(nullptr);
  prepared.environment.push_back(nullptr);
  if (!lines_.ok() || !bytes_.ok() || !report_pipe_.ok() || !input_.ok()) {
    result_.problem = "no pipe could be made: " + splat::error_text(errno);
    return false;
  }
  prepared.out = command_.on_bytes ? bytes_.write_end() : lines_.write_end();
  prepared.err = lines_.write_end();
  prepared.report = report_pipe_.write_end();
  if (command_.input) prepared.in = input_.read_end(), prepared.our_end = input_.write_end();
  if (!command_.folder.empty()) prepared.folder = command_.folder.c_str();
  prepared.parent = ::getpid();
  memory_kills_before_ = out_of_memory_kills();
  keeper_ = ::fork();
  if (keeper_ == 0) keep(prepared);
  if (keeper_ < 0) {
    result_.problem = "no process could be started: " + splat::error_text(errno);
    return false;
  }
  ::setpgid(keeper_, keeper_);  // both do, so that it is done when either needs it
  lines_.close_write();
  bytes_.close_write();
  report_pipe_.close_write();
  input_.close_read();
  return true;
}

void Run::line(std::string_view text, bool continued) {
  if (continued && !result_.last_lines.empty())
    result_.last_lines.back() += text;
  else
    result_.last_lines.emplace_back(text);
  if (result_.last_lines.size() > kKeptLines) result_.last_lines.erase(result_.last_lines.begin());
  if (command_.on_line) command_.on_line(text, continued);
}

// False: that end is closed.
bool Run::read_some(int fd, bool lines) {
  char buffer[65536];
  const ssize_t count = ::read(fd, buffer, sizeof buffer);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (count <= 0) return false;
  const std::string_view bytes(buffer, size_t(count));
  if (!lines) {
    command_.on_bytes(bytes);
    return true;
  }
  if (log_.is_open()) log_ << bytes << std::flush;
  splitter_.add(bytes);
  return true;
}

// False: the input is at its end, or the program reads no more of it.
bool Run::write_some() {
  if (unread_.empty()) unread_ = command_.input();
  if (unread_.empty()) return false;
  const ssize_t count = ::send(input_.write_end(), unread_.data(), unread_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  unread_.remove_prefix(size_t(count));
  return true;
}

void Run::cancel_if_asked() {
  if (!said_to_end_ && command_.cancelled && command_.cancelled()) {
    said_to_end_ = true;
    ended_at_ = Clock::now();
    ::kill(-keeper_, SIGINT);  // the keeper ignores it, and reports how the program took it
  }
  if (said_to_end_ && !killed_ && seconds_since(ended_at_) >= command_.grace_seconds) {
    killed_ = true;
    ::kill(-keeper_, SIGKILL);
  }
}

// Until the keeper ended. A program left in the background may keep the output open: the keeper's report ends the wait,
// after what is still in the pipes.
void Run::read_until_end() {
  pollfd fds[4] = {{lines_.read_end(), POLLIN, 0},
                   {bytes_.read_end(), POLLIN, 0},
                   {report_pipe_.read_end(), POLLIN, 0},
                   {command_.input ? input_.write_end() : -1, POLLOUT, 0}};
  for (bool reported = false; !reported;) {
    const int ready = ::poll(fds, 4, kTickMs);
    if (ready == 0) splitter_.silence();
    if (ready > 0) {
      if (fds[0].revents && !read_some(fds[0].fd, true)) fds[0].fd = -1;
      if (fds[1].revents && !read_some(fds[1].fd, false)) fds[1].fd = -1;
      if (fds[3].revents && !write_some()) {
        input_.close_write();
        fds[3].fd = -1;
      }
      reported = fds[2].revents != 0 && !fds[0].revents && !fds[1].revents;
    }
    if (command_.on_tick) command_.on_tick();
    cancel_if_asked();
  }
  splitter_.silence();
}

void Run::reap() {
  ::kill(-keeper_, SIGKILL);  // what is left where the keeper itself was ended
  while (::waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
  reaped_ = true;
}

void Run::judge() {
  Report report;
  if (::read(report_pipe_.read_end(), &report, sizeof report) != sizeof report) {
    result_.end = said_to_end_ ? ToolEnd::kCancelled : ToolEnd::kSignalled;
    result_.code = SIGKILL;
    return;
  }
  result_.peak_bytes = report.peak_bytes;
  if (report.start_error != 0) {
    result_.problem = splat::error_text(report.start_error);
    return;
  }
  const bool signalled = WIFSIGNALED(report.status);
  result_.code = signalled ? WTERMSIG(report.status) : WEXITSTATUS(report.status);
  result_.end = signalled ? ToolEnd::kSignalled : ToolEnd::kExited;
  if (result_.ok()) return;
  // The reason stands in the last lines, if anywhere; a shell reports a signal as 128 + its number.
  const bool killed = result_.code == (signalled ? SIGKILL : 128 + SIGKILL);
  if (said_to_end_)
    result_.end = ToolEnd::kCancelled;
  else if ((killed && out_of_memory_kills() != memory_kills_before_) ||
           contains(result_.last_lines, {"std::bad_alloc", "Cannot allocate memory", "Out of memory"}))
    result_.end = ToolEnd::kOutOfMemory;
  else if (contains(result_.last_lines, {"No space left on device", "database or disk is full"}))
    result_.end = ToolEnd::kDiskFull;
}

std::string quoted_end(const std::vector<std::string>& lines) {
  constexpr size_t kShown = 3, kLongest = 160;
  std::string text;
  size_t shown = 0;
  for (size_t i = lines.size(); i-- > 0 && shown < kShown;) {
    if (lines[i].find_first_not_of(" \t=") == std::string::npos) continue;
    std::string line = lines[i].substr(0, kLongest);
    for (char& c : line)
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    text = "'" + line.substr(line.find_first_not_of(' ')) + "'" + (text.empty() ? "" : ", ") + text;
    ++shown;
  }
  return text.empty() ? "; it printed nothing" : "; its last lines: " + text;
}

}  // namespace

ToolResult run_tool(const ToolCommand& command) { return Run(command).run(); }

std::string tool_failure(const std::string& name, const ToolResult& result) {
  const std::string lines = quoted_end(result.last_lines);
  switch (result.end) {
    case ToolEnd::kExited:
      return name + " ended with exit code " + std::to_string(result.code) + lines;
    case ToolEnd::kSignalled: {
      const char* text = ::sigdescr_np(result.code);
      return name + " was ended by signal " + std::to_string(result.code) + " (" + (text ? text : "unknown") + ")" +
             lines;
    }
    case ToolEnd::kOutOfMemory:
      return name + " ran out of memory (it held " + std::to_string(result.peak_bytes >> 20) + " MB)" + lines;
    case ToolEnd::kDiskFull:
      return name + " found the disk full" + lines;
    case ToolEnd::kCancelled:
      return name + " was cancelled";
    case ToolEnd::kNotStarted:
      return name + " could not be started: " + result.problem;
  }
  return name;
}

std::string ffmpeg_name(const fs::path& file) {
  std::error_code code;
  return "file:" + fs::absolute(file, code).string();
}

fs::path find_program(const std::string& name) {
  const auto executable = [](const fs::path& path) {
    std::error_code code;
    return fs::is_regular_file(path, code) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return executable(name) ? fs::path(name) : fs::path();
  const char* variable = splat::environment("PATH");
  std::string_view rest = variable ? variable : "/usr/local/bin:/usr/bin:/bin";
  while (true) {
    const size_t colon = std::min(rest.find(':'), rest.size());
    fs::path candidate = fs::path(colon == 0 ? "." : std::string(rest.substr(0, colon))) / name;
    if (executable(candidate)) return candidate;
    if (colon == rest.size()) return {};
    rest.remove_prefix(colon + 1);
  }
}

}  // namespace align
