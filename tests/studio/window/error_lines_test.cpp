// Sentences of the program, cut into what failed, why, and what to do.
#include "studio/window/error_lines.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "tests/support/test_paths.h"

namespace studio {
namespace {

void expect_lines(const std::string& sentence, const std::string& what, const std::string& why,
                  const std::string& now) {
  const ErrorLines lines = lines_of_error(sentence);
  EXPECT_EQ(lines.what, what);
  EXPECT_EQ(lines.why, why) << sentence;
  EXPECT_EQ(lines.now, now) << sentence;
}

TEST(ErrorLines, AreTheThreePartsOfTheSentence) {
  expect_lines("cannot create the folder '/a/b': Permission denied; choose another place for the results",
               "Cannot create the folder '/a/b'", "Permission denied", "Choose another place for the results");
  expect_lines("'/a.ply' cannot be added: no splat file is open that it could join", "'/a.ply' cannot be added",
               "No splat file is open that it could join", "");
  expect_lines("a picture of 9x9 px needs about 3 GB of memory and 1 GB are free: make it smaller",
               "A picture of 9x9 px needs about 3 GB of memory and 1 GB are free", "", "Make it smaller");
  expect_lines("there is no photo 'a.jpg' to show: did you mean 'b.jpg'?", "There is no photo 'a.jpg' to show", "",
               "Did you mean 'b.jpg'?");
  expect_lines("'a.ply': vertex 7: the value is too large", "There is a problem in 'a.ply'",
               "Vertex 7: the value is too large", "");
  expect_lines("'a.ply', byte 9: the file ends inside a row (truncated or corrupt)",
               "There is a problem in 'a.ply', byte 9", "The file ends inside a row (truncated or corrupt)",
               "Copy or download the file again");
  expect_lines("'a.zip' is a zip archive: it holds b.txt; unpack it", "'a.zip' is a zip archive", "It holds b.txt",
               "Unpack it");
  expect_lines("'a' is no splat file; hipsplat reads .ply", "'a' is no splat file", "hipsplat reads .ply", "");
  expect_lines("it failed", "It failed", "", "");
}

TEST(ErrorLines, NamesAreNotCut) {
  expect_lines("cannot write '/a: b; open c': No space left", "Cannot write '/a: b; open c'", "No space left", "");
  expect_lines("the camera's file: the program's own", "The camera's file", "The program's own", "");
  expect_lines("'a': opened elsewhere", "There is a problem in 'a'", "Opened elsewhere", "");  // no verb of what to do
}

// An action that was renamed would leave errors without their button.
TEST(ErrorLines, EveryActionThatHelpsIsThere) {
  const std::regex helps(R"re(fail\([^;]*, "([A-Z][^"]*)"\))re"), action(R"re(\.name = "([^"]*)")re");
  std::set<std::string> wanted, there;
  for (const auto& file : std::filesystem::recursive_directory_iterator(test_paths::source() / "studio")) {
    if (file.path().extension() != ".cpp") continue;
    std::ifstream source(file.path());
    const std::string text{std::istreambuf_iterator<char>(source), {}};
    for (std::sregex_iterator at(text.begin(), text.end(), helps), end; at != end; ++at) wanted.insert((*at)[1]);
    for (std::sregex_iterator at(text.begin(), text.end(), action), end; at != end; ++at) there.insert((*at)[1]);
  }
  EXPECT_GE(wanted.size(), 8u);
  for (const std::string& name : wanted) EXPECT_TRUE(there.contains(name)) << name;
}

}  // namespace
}  // namespace studio
