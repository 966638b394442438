#include "tests/support/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/support/temp_folder.h"

namespace app::test {
namespace {

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

[[noreturn]] void become_program(std::vector<char*> words, const RunOptions& options, const char* out,
                                 const char* err) {
  const int in_fd = open("/dev/null", O_RDONLY), out_fd = open(out, O_WRONLY | O_CREAT, 0600),
            err_fd = open(err, O_WRONLY | O_CREAT, 0600);
  dup2(in_fd, 0);
  dup2(out_fd, 1);
  dup2(err_fd, 2);
  if (options.close_streams) closefrom(0);
  if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) _exit(126);
  if (options.largest_file_bytes > 0) {
    const rlimit limit{options.largest_file_bytes, options.largest_file_bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (options.address_space_bytes > 0) {
    const rlimit limit{options.address_space_bytes, options.address_space_bytes};
    setrlimit(RLIMIT_AS, &limit);
  }
  const std::string state = options.state_home.empty() ? std::string(err) + "-state" : options.state_home;
  setenv("XDG_STATE_HOME", state.c_str(), 1);
  setenv("HIPSPLAT_PLUGINS", "/no/plugins", 0);  // on the CPU, unless the test says otherwise
  execv(words[0], words.data());
  _exit(127);
}

// Sends the signal once `when` is true; false when the child ended before.
bool send_signal(pid_t child, int signal, const std::function<bool()>& when, int& status) {
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (when()) {
      kill(child, signal);
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

void wait_for(pid_t child, const RunOptions& options, Ran& ran) {
  int status = 0;
  bool running = true;
  if (options.signal != 0) {
    running = send_signal(child, options.signal, options.when, status);
    EXPECT_TRUE(running) << "the program ended before the signal could be sent";
    if (running && options.again)
      running = ran.signalled_again = send_signal(child, options.signal, options.again, status);
  }
  rusage usage{};
  if (running) wait4(child, &status, 0, &usage);
  ran.peak_rss_bytes = uint64_t(usage.ru_maxrss) * 1024;
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::vector<std::string> Ran::error_lines() const {
  std::vector<std::string> lines;
  std::istringstream text(err);
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("error: ")) lines.push_back(line);
  return lines;
}

std::vector<nlohmann::json> Ran::json_lines() const {
  std::vector<nlohmann::json> objects;
  std::istringstream text(out);
  for (std::string line; std::getline(text, line);) {
    objects.push_back(nlohmann::json::parse(line, nullptr, false));
    EXPECT_TRUE(objects.back().is_object()) << line;
  }
  return objects;
}

nlohmann::json Ran::summary() const {
  for (const nlohmann::json& object : json_lines())
    if (object.value("type", "") == "summary") return object;
  ADD_FAILURE() << "no summary in: " << out << "\n" << err;
  return {};
}

Ran run(const std::vector<std::string>& arguments, const RunOptions& options) {
  const splat::test::TempFolder folder;
  const std::string out = options.out_path.empty() ? (folder.path() / "out").string() : options.out_path,
                    err = folder.path() / "err";
  std::vector<std::string> words{HIPSPLAT_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  Ran ran;
  const pid_t child = fork();
  if (child == 0) become_program(pointers, options, out.c_str(), err.c_str());
  wait_for(child, options, ran);
  if (options.out_path.empty()) ran.out = file_text(out);
  ran.err = file_text(err);
  return ran;
}

void expect_refused(const Ran& ran, int code, const std::vector<std::string>& parts) {
  EXPECT_EQ(ran.code, code) << ran.out << ran.err;
  const std::vector<std::string> errors = ran.error_lines();
  ASSERT_EQ(errors.size(), 1u) << ran.err;
  for (const std::string& part : parts)
    EXPECT_NE(errors[0].find(part), std::string::npos) << "'" << part << "' in: " << errors[0];
  EXPECT_EQ(ran.out, "");
}

}  // namespace app::test
