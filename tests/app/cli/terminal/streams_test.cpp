// What the program prints, where scripts leave stdin, stdout and stderr in odd states.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

TEST(Streams, WhatIsPrintedNeverLandsInAFileWhenTheyAreClosed) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out");
  RunOptions closed;
  closed.close_streams = true;
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", out, "-i", "5"}, closed).code, 0);
  std::istringstream log(text_of(out / "log.txt"));
  int lines = 0;
  for (std::string line; std::getline(log, line); ++lines)
    EXPECT_TRUE(line.starts_with("20") && line[10] == 'T') << "no time stamp: " << line;
  EXPECT_GT(lines, 1);
}

TEST(Streams, ResultsThatCannotBeWrittenAreAFailure) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const SceneOnDisk scene;
  RunOptions full;
  full.out_path = "/dev/full";
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"--help"}, {"--info", scene.dataset()}, {"--train", scene.dataset(), "-o", scene.output("o"), "-i", "5"}})
    expect_refused(run(arguments, full), 1, {"standard output"});
}

TEST(Streams, AReaderThatLeavesDoesNotEndTheTraining) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out.ply");
  const std::string command = std::string("'") + HIPSPLAT_PROGRAM + "' --train '" + scene.dataset() + "' -o '" +
                              out.string() + "' -i 200 --json --quiet";
  std::FILE* pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  EXPECT_EQ(std::fgetc(pipe), '{');
  EXPECT_EQ(pclose(pipe), 0) << "closes the pipe, then waits for the program";
  EXPECT_TRUE(fs::exists(out));
}

// A limit that batch systems set; threads get stacks of that size as well.
TEST(Stack, MayBeSmall) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("out.ply");
  const std::string program = std::string("'") + HIPSPLAT_PROGRAM + "'";
  const auto limited = [&](const std::string& command) {
    const std::string words = "ulimit -s 256; " + program + " " + command + " > /dev/null 2>&1";
    return std::system(words.c_str());
  };
  EXPECT_EQ(limited("--version"), 0);
  EXPECT_EQ(limited("--train '" + scene.dataset() + "' -o '" + out.string() + "' -i 30 --threads 3"), 0);
  EXPECT_EQ(limited("--info '" + out.string() + "'"), 0);
}

}  // namespace
}  // namespace app::test
