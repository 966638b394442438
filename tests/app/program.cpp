#include "tests/app/program.h"

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
  if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) _exit(126);
  if (options.largest_file_bytes > 0) {
    const rlimit limit{options.largest_file_bytes, options.largest_file_bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  execv(words[0], words.data());
  _exit(127);
}

int wait_for(pid_t child, const RunOptions& options) {
  bool sent = options.signal == 0;
  int status = 0;
  while (!sent && waitpid(child, &status, WNOHANG) == 0) {
    if (options.when()) {
      kill(child, options.signal);
      sent = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
  EXPECT_TRUE(sent) << "the program ended before the signal could be sent";
  if (sent) waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
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
  const std::string out = folder.path() / "out", err = folder.path() / "err";
  std::vector<std::string> words{HIPSPLAT_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  Ran ran;
  const pid_t child = fork();
  if (child == 0) become_program(pointers, options, out.c_str(), err.c_str());
  ran.code = wait_for(child, options);
  ran.out = file_text(out);
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
