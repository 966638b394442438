// Completion and the manual page: every option is in them, and the shells take them.
#include "app/cli/generated_texts.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>

#include "app/cli/overview.h"
#include "app/settings/options.h"
#include "tests/support/temp_folder.h"

namespace app {
namespace {

// Its exit code and what it printed; stderr counts.
std::pair<int, std::string> shell(const std::string& command) {
  std::FILE* pipe = ::popen(("{ " + command + "; } 2>&1").c_str(), "r");
  std::string text;
  char buffer[4096];
  for (size_t count = 0; (count = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, count);
  const int status = ::pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text};
}

bool is_installed(const char* program) { return shell(std::string("command -v ") + program).first == 0; }

std::string without_backslashes(std::string text) {
  std::erase(text, '\\');
  return text;
}

class GeneratedTexts : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    folder_.write(name, text);
    return "'" + (folder_.path() / name).string() + "'";
  }
  // What bash offers for the last word.
  std::string offered(const std::string& words) {
    const std::string script = file("hipsplat.bash", *completion_script("bash"));
    const auto [code, text] =
        shell("bash -c 'source \"$0\"; COMP_WORDS=(hipsplat " + words +
              "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _hipsplat; echo \"${COMPREPLY[*]}\"' " + script);
    EXPECT_EQ(code, 0) << text;
    return text;
  }
  Options options_;
  const std::vector<OptionRow> rows_ = option_table(options_);
  splat::test::TempFolder folder_;
};

TEST_F(GeneratedTexts, EveryOptionIsInAllOfThem) {
  const std::string manual = without_backslashes(manual_page("1.2.3", "2026-11-22"));
  const std::string bash = *completion_script("bash"), zsh = *completion_script("zsh"),
                    fish = *completion_script("fish");
  for (const OptionRow& row : rows_) {
    EXPECT_NE(manual.find("fB" + shown_name(row) + "fP"), std::string::npos) << row.name;
    EXPECT_NE(bash.find("--" + row.name), std::string::npos) << row.name;
    EXPECT_NE(zsh.find(")--" + row.name + "["), std::string::npos) << row.name;
    EXPECT_NE(fish.find(" -l " + row.name + " "), std::string::npos) << row.name;
  }
  EXPECT_NE(manual.find("2026-11-22"), std::string::npos);
  EXPECT_EQ(manual.find(" here)"), std::string::npos) << "the same page on every machine";
  EXPECT_FALSE(completion_script("tcsh").has_value());
}

TEST_F(GeneratedTexts, HelpAndManualHaveTheSynopsisOfEveryCommand) {
  const std::string manual = without_backslashes(manual_page("1.2.3", "2026-11-22")), help = help_text({});
  for (const OptionRow& row : rows_) {
    if (!is_command(row)) continue;
    EXPECT_NE(manual.find("fBhipsplatfP " + row.name), std::string::npos) << row.name;
    EXPECT_NE(help.find("  hipsplat " + row.name + " "), std::string::npos) << row.name;
  }
  for (const Synopsis& synopsis : kSynopses) {
    EXPECT_NE(help.find(synopsis.what), std::string::npos) << synopsis.words;
    EXPECT_NE(manual.find(synopsis.what), std::string::npos) << synopsis.words;
  }
  for (const auto& [code, what] : kExitStatus) EXPECT_NE(help.find(what), std::string::npos) << code;
}

TEST_F(GeneratedTexts, BashOffersWhatFits) {
  EXPECT_EQ(offered("--back"), "--background --backend\n");
  EXPECT_EQ(offered("--train scene --backend \"\""), "auto cpu hip cuda\n");
  EXPECT_EQ(offered("--train scene --backend c"), "cpu cuda\n");
  EXPECT_EQ(offered("--strategy m"), "mcmc\n");
  EXPECT_EQ(offered("--iterations \"\""), "\n");
  EXPECT_EQ(offered("in"), "info\n");
  EXPECT_EQ(offered("tr"), "train\n");
  EXPECT_EQ(offered("--info sc"), "\n") << "files, which bash finds itself";
}

TEST_F(GeneratedTexts, TheOtherShellsTakeTheirs) {
  const std::pair<int, std::string> fine{0, ""};
  if (is_installed("zsh")) {
    EXPECT_EQ(shell("zsh -n " + file("_hipsplat", *completion_script("zsh"))), fine);
  }
  if (is_installed("fish")) {
    EXPECT_EQ(shell("fish --no-execute " + file("hipsplat.fish", *completion_script("fish"))), fine);
  }
  if (!is_installed("zsh") && !is_installed("fish")) GTEST_SKIP() << "zsh and fish are not installed";
}

TEST_F(GeneratedTexts, TheManualPageIsSound) {
  if (!is_installed("mandoc")) GTEST_SKIP() << "mandoc is not installed";
  const auto [code, text] =
      shell("mandoc -T lint -W warning " + file("hipsplat.1", manual_page("1.2.3", "2026-11-22")));
  EXPECT_EQ(code, 0) << text;
}

TEST_F(GeneratedTexts, OnlyTheBuildsWordsAreAnswered) {
  EXPECT_TRUE(generated_text({"--print-completion", "fish"}, "1").has_value());
  EXPECT_TRUE(generated_text({"--print-manual", "2026-11-22"}, "1").has_value());
  EXPECT_FALSE(generated_text({"--print-completion"}, "1").has_value());
  EXPECT_FALSE(generated_text({"--info", "scene.ply"}, "1").has_value());
}

}  // namespace
}  // namespace app
