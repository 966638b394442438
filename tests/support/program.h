// Runs the built hipsplat and keeps what it said.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace app::test {

struct Ran {
  int code = -1;  // exit code; 128 + signal when a signal ended it
  std::string out, err;
  bool signalled_again = false;  // the second signal came before the end
  uint64_t peak_rss_bytes = 0;   // as the system measured it

  std::vector<std::string> error_lines() const;    // of stderr, those that begin with "error: "
  std::vector<nlohmann::json> json_lines() const;  // of stdout; a test failure when one does not parse
  nlohmann::json summary() const;                  // the line of type "summary"; a failure when there is none
};

struct RunOptions {
  int signal = 0;                    // sent once `when` is true
  std::function<bool()> when;        // asked every few milliseconds
  std::function<bool()> again;       // when set: a second signal is tried for, once this is true
  uint64_t largest_file_bytes = 0;   // 0: no limit (RLIMIT_FSIZE of the child)
  uint64_t address_space_bytes = 0;  // 0: no limit (RLIMIT_AS of the child, `ulimit -v`)
  std::string state_home;            // $XDG_STATE_HOME; empty: a folder that is removed afterwards
  std::string folder;                // working directory; empty: this one's
  std::string out_path;              // where stdout goes instead of Ran::out
  bool close_streams = false;        // start without stdin, stdout and stderr
};

Ran run(const std::vector<std::string>& arguments, const RunOptions& options = {});

// Fails the test unless the program refused: this exit code, one error line that mentions all of `parts`.
void expect_refused(const Ran& ran, int code, const std::vector<std::string>& parts);

}  // namespace app::test
