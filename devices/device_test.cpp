#include "devices/device_test.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <tuple>

#include "devices/plugins.h"
#include "devices/self_test.h"
#include "splat/core/system.h"

namespace splat {
namespace {

constexpr const char* kWord = "--test-this-gpu";
constexpr int kLongestTest = 60;  // seconds: the driver may have to compile the kernels first
constexpr size_t kKeptBytes = 4096;

bool takes_part = false;  // this program's main() knows the word

// What this process has tested already.
class Passed {
 public:
  using Device = std::tuple<std::string, int, bool>;
  bool has(const Device& device) {
    const std::lock_guard lock(mutex_);
    return devices_.contains(device);
  }
  void add(const Device& device) {
    const std::lock_guard lock(mutex_);
    devices_.insert(device);
  }

 private:
  std::mutex mutex_;
  std::set<Device> devices_;
};
Passed& passed() {
  static Passed passed;
  return passed;
}

// ---- in the process that tests

// Errors that can be caught do not matter here: they come again, and are reported, where the device is used.
void draw(const std::string& name, int index, bool deterministic) {
  const GpuPlugin plugin = load_plugin(name);
  if (!plugin.table) return;
  const gpu::PluginSettings settings{index, deterministic ? 1 : 0};
  gpu::PluginText error = {};
  const std::unique_ptr<Backend> backend(plugin.table->create(&settings, &error));
  if (backend) test_backend(*backend);
}

// ---- in the process that wants to know

struct Ended {
  int status = 0;  // of waitpid()
  bool in_time = false;
  std::string said;
};

void read_more(int from, std::string& said) {
  char buffer[1024];
  for (ssize_t count; (count = read(from, buffer, sizeof buffer)) > 0;) {
    said.append(buffer, size_t(count));
    if (said.size() > 2 * kKeptBytes) said.erase(0, said.size() - kKeptBytes);
  }
}

int longest_test() {
  const char* const seconds = environment("HIPSPLAT_GPU_TEST_SECONDS");
  return seconds && std::atoi(seconds) > 0 ? std::atoi(seconds) : kLongestTest;
}

// A runtime's own helpers may keep the pipe open, so its end is not what is waited for.
Ended wait_for(pid_t child, int from) {
  Ended ended;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(longest_test());
  while (!ended.in_time && std::chrono::steady_clock::now() < deadline) {
    pollfd waiting{from, POLLIN, 0};
    poll(&waiting, 1, 20);
    read_more(from, ended.said);
    if (waiting.revents & POLLHUP) usleep(1000);
    ended.in_time = waitpid(child, &ended.status, WNOHANG) == child;
  }
  if (!ended.in_time) {
    kill(child, SIGKILL);  // not waited for: in a driver that hangs it may never end
  }
  read_more(from, ended.said);
  return ended;
}

std::optional<Ended> run_child(const std::string& plugin, int index, bool deterministic) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::string words[] = {"hipsplat", kWord, plugin, std::to_string(index), deterministic ? "1" : "0"};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), words[4].data(), nullptr};
  pid_t child = 0;
  const int problem = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::optional<Ended> ended;
  if (problem == 0) ended = wait_for(child, ends[0]);
  close(ends[0]);
  return ended;
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const size_t before = text.rfind('\n');
  return before == std::string::npos ? text : text.substr(before + 1);
}

std::string sentence_of(const Ended& ended) {
  if (!ended.in_time) return "does not finish a first test within " + std::to_string(longest_test()) + " s";
  if (WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == 0) return "";
  const std::string how = WIFSIGNALED(ended.status)
                              ? strsignal(WTERMSIG(ended.status))  // NOLINT(concurrency-mt-unsafe)
                              : "exit code " + std::to_string(WEXITSTATUS(ended.status));
  const std::string said = last_line(ended.said);
  return "ends the process that uses it (" + how + (said.empty() ? "" : "; " + said) + ")";
}

}  // namespace

std::optional<int> device_test_process(int count, char** words) {
  takes_part = true;
  if (count != 5 || std::strcmp(words[1], kWord) != 0) return std::nullopt;
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  draw(words[2], std::atoi(words[3]), words[4][0] == '1');
  return 0;
}

std::string test_device_apart(const std::string& plugin, int index, bool deterministic) {
  const Passed::Device device{plugin, index, deterministic};
  if (!takes_part || passed().has(device)) return "";
  const std::optional<Ended> ended = run_child(plugin, index, deterministic);
  std::string problem = ended ? sentence_of(*ended) : "";
  if (problem.empty()) passed().add(device);
  return problem;
}

}  // namespace splat
