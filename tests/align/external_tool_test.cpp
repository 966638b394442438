// Programs that run beside ours, with small shell scripts in their place.
#include "align/external_tool.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "align/line_splitter.h"
#include "tests/support/temp_folder.h"

namespace align {
namespace {

using std::chrono::milliseconds;

struct Line {
  std::string text;
  bool continued = false;
  bool operator==(const Line&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Line& line) {
  return out << (line.continued ? "..." : "") << line.text;
}

class ToolTest : public testing::Test {
 protected:
  ToolCommand shell(const std::string& script) {
    ToolCommand command;
    command.program = "/bin/sh";
    command.arguments = {"-c", script};
    command.on_line = [this](std::string_view text, bool continued) {
      lines_.push_back({std::string(text), continued});
    };
    return command;
  }
  std::string file(const std::string& name) const { return (folder_.path() / name).string(); }

  splat::test::TempFolder folder_;
  std::vector<Line> lines_;
};

bool alive(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  return stat >> number >> name >> state && state != "Z";
}

bool ends_within(pid_t process, milliseconds limit) {
  const auto start = std::chrono::steady_clock::now();
  while (alive(process)) {
    if (std::chrono::steady_clock::now() - start > limit) return false;
    std::this_thread::sleep_for(milliseconds(5));
  }
  return true;
}

pid_t number_in(const std::string& path) {
  for (int i = 0; i < 1000; ++i) {
    pid_t number = 0;
    if (std::ifstream(path) >> number) return number;
    std::this_thread::sleep_for(milliseconds(5));
  }
  return 0;
}

TEST(LineSplitter, CutsAtEveryKindOfEndAndAtSilence) {
  std::vector<Line> lines;
  LineSplitter splitter([&](std::string_view text, bool continued) {
    lines.push_back({std::string(text), continued});
  });
  splitter.add("one\ntw");
  splitter.add("o\r\n\nMatching [1/2]");
  splitter.silence();
  splitter.silence();
  splitter.add(" in 1.5s\nfra");
  splitter.add("me 1\rframe 2\r");
  splitter.add(std::string(LineSplitter::kLongestLine + 3, 'x') + "\nend");
  splitter.silence();
  const std::vector<Line> expected{{"one"},
                                   {"two"},
                                   {"Matching [1/2]"},
                                   {" in 1.5s", true},
                                   {"frame 1"},
                                   {"frame 2"},
                                   {std::string(LineSplitter::kLongestLine, 'x')},
                                   {"xxx", true},
                                   {"end"}};
  EXPECT_EQ(lines, expected);
}

TEST_F(ToolTest, OutputComesWhileTheProgramRuns) {
  ToolCommand command = shell("echo out; echo err >&2; printf half; while [ ! -e '" + file("go") +
                              "' ]; do sleep 0.01; done; echo ' done'");
  const auto remember = command.on_line;
  command.on_line = [&](std::string_view text, bool continued) {
    remember(text, continued);
    if (text == "half") folder_.write("go", "");  // the script waits for this: half a line was reported in time
  };
  command.log = file("log");
  const ToolResult result = run_tool(command);
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(lines_, (std::vector<Line>{{"out"}, {"err"}, {"half"}, {" done", true}}));
  EXPECT_EQ(result.last_lines, (std::vector<std::string>{"out", "err", "half done"}));
  std::ifstream log(command.log);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(log), {}), "out\nerr\nhalf done\n");
  EXPECT_GT(result.peak_bytes, 100'000u);
}

TEST_F(ToolTest, BytesOfStdoutStayApartFromTheLines) {
  ToolCommand command = shell("printf 'a\\0b'; echo said >&2; head -c 300000 /dev/zero");
  std::string bytes;
  command.on_bytes = [&](std::string_view piece) { bytes += piece; };
  EXPECT_TRUE(run_tool(command).ok());
  EXPECT_EQ(bytes, std::string("a\0b", 3) + std::string(300000, '\0'));
  EXPECT_EQ(lines_, (std::vector<Line>{{"said"}}));
}

TEST_F(ToolTest, ReadsItsInputToTheEnd) {
  ToolCommand command = shell("cksum");
  const std::string block(3'000'000, 'x');
  int blocks = 0;
  command.input = [&]() -> std::string_view { return blocks++ < 3 ? std::string_view(block) : std::string_view(); };
  std::string sum;
  command.on_bytes = [&](std::string_view bytes) { sum += bytes; };
  EXPECT_TRUE(run_tool(command).ok());
  EXPECT_NE(sum.find(" 9000000"), std::string::npos) << sum;
}

TEST_F(ToolTest, MayEndBeforeItsInputDoes) {
  ToolCommand command = shell("exit 3");
  const std::string block(1'000'000, 'x');
  command.input = [&]() -> std::string_view { return block; };
  const ToolResult result = run_tool(command);
  EXPECT_EQ(result.end, ToolEnd::kExited);
  EXPECT_EQ(result.code, 3);
}

TEST_F(ToolTest, ArgumentsAndEnvironmentArriveUnchanged) {
  ToolCommand command = shell("printf '%s|' \"$@\"; echo $HIPSPLAT_TEST_WORD");
  command.arguments.insert(command.arguments.end(), {"name", "a b", "Ümläut $x", ""});
  command.environment = {"HIPSPLAT_TEST_WORD=hello"};
  run_tool(command);
  EXPECT_EQ(lines_, (std::vector<Line>{{"a b|Ümläut $x||hello"}}));
}

TEST_F(ToolTest, EndsAreToldApart) {
  const auto end_of = [&](const std::string& script) { return run_tool(shell(script)); };
  ToolResult result = end_of("echo why >&2; exit 3");
  EXPECT_EQ(result.end, ToolEnd::kExited);
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(tool_failure("prog", result), "prog ended with exit code 3; its last lines: 'why'");
  result = end_of("kill -SEGV $$");
  EXPECT_EQ(result.end, ToolEnd::kSignalled);
  EXPECT_EQ(result.code, SIGSEGV);
  EXPECT_EQ(tool_failure("prog", result), "prog was ended by signal 11 (Segmentation fault); it printed nothing");
  EXPECT_EQ(end_of("echo terminate called: std::bad_alloc >&2; kill -ABRT $$").end, ToolEnd::kOutOfMemory);
  EXPECT_EQ(end_of("echo 'cannot write: No space left on device'; exit 1").end, ToolEnd::kDiskFull);
  EXPECT_EQ(end_of("echo std::bad_alloc; exit 0").end, ToolEnd::kExited);
}

TEST_F(ToolTest, AProgramThatCannotStartSaysWhy) {
  ToolCommand command;
  command.program = file("none");
  ToolResult result = run_tool(command);
  EXPECT_EQ(result.end, ToolEnd::kNotStarted);
  EXPECT_EQ(tool_failure("prog", result), "prog could not be started: No such file or directory");
  command.program = folder_.write("text", "no program");
  EXPECT_EQ(run_tool(command).problem, "Permission denied");
}

TEST_F(ToolTest, TheLastFortyLinesAreKept) {
  const ToolResult result = run_tool(shell("i=0; while [ $i -lt 100 ]; do echo line $i; i=$((i+1)); done; exit 1"));
  ASSERT_EQ(result.last_lines.size(), 40u);
  EXPECT_EQ(result.last_lines.front(), "line 60");
  EXPECT_EQ(result.last_lines.back(), "line 99");
}

TEST_F(ToolTest, CancellingReachesTheWholeGroup) {
  ToolCommand command = shell("sleep 100 & echo $! > '" + file("pid") + "'; wait");
  command.cancelled = [&] { return std::filesystem::exists(file("pid")) && number_in(file("pid")) != 0; };
  const ToolResult result = run_tool(command);
  EXPECT_EQ(result.end, ToolEnd::kCancelled);
  EXPECT_LT(result.seconds, 4);  // no SIGKILL was needed
  EXPECT_TRUE(ends_within(number_in(file("pid")), milliseconds(1000)));
}

TEST_F(ToolTest, AProgramDeafToCtrlCIsKilled) {
  ToolCommand command = shell("trap '' INT; echo $$ > '" + file("pid") + "'; while :; do sleep 0.05; done");
  command.cancelled = [&] { return number_in(file("pid")) != 0; };
  EXPECT_EQ(run_tool(command).end, ToolEnd::kCancelled);
  EXPECT_TRUE(ends_within(number_in(file("pid")), milliseconds(1000)));
}

TEST_F(ToolTest, WhatAProgramLeavesBehindIsEnded) {
  const ToolResult result = run_tool(shell("sleep 100 & echo $! > '" + file("pid") + "'"));
  EXPECT_TRUE(result.ok());
  EXPECT_LT(result.seconds, 10);  // the background process keeps the output open
  EXPECT_TRUE(ends_within(number_in(file("pid")), milliseconds(1000)));
}

// What SIGKILL to hipsplat does: neither the program nor what it started in turn may go on.
TEST_F(ToolTest, NothingStaysWhenWeAreKilled) {
  const pid_t us = fork();
  if (us == 0) {
    run_tool(shell("sleep 100 & echo $! > '" + file("inner") + "'; echo $$ > '" + file("outer") + "'; wait"));
    _exit(0);
  }
  const pid_t outer = number_in(file("outer")), inner = number_in(file("inner"));
  ASSERT_TRUE(alive(outer) && alive(inner));
  kill(us, SIGKILL);
  waitpid(us, nullptr, 0);
  EXPECT_TRUE(ends_within(outer, milliseconds(2000)));
  EXPECT_TRUE(ends_within(inner, milliseconds(2000)));
}

TEST_F(ToolTest, ProgramsAreFoundOnThePath) {
  EXPECT_EQ(find_program("sh").filename(), "sh");
  EXPECT_EQ(find_program("no-such-program-anywhere"), "");
  EXPECT_EQ(find_program("/bin/sh"), "/bin/sh");
  EXPECT_EQ(find_program(folder_.write("text", "x").string()), "");  // not executable
}

}  // namespace
}  // namespace align
