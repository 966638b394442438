// The pages: every link between them, and every heading that one names, is there. Needs no network: addresses elsewhere
// are not looked at.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/support/test_paths.h"

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = test_paths::source();

std::vector<fs::path> pages() {
  std::vector<fs::path> found;
  for (const fs::path& folder : {kRoot, kRoot / "docs", kRoot / "docs/notebook", kRoot / "packaging"})
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".md") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

// Without blocks of code.
std::vector<std::string> prose(const fs::path& page) {
  std::vector<std::string> lines;
  std::ifstream file(page);
  bool code = false;
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find_first_not_of(' ');
    if (first != std::string::npos && line.compare(first, 3, "```") == 0)
      code = !code;
    else if (!code)
      lines.push_back(line);
  }
  return lines;
}

// As GitHub names headings: lower case, blanks become dashes, other signs go.
std::set<std::string> anchors(const fs::path& page) {
  std::set<std::string> names;
  for (const std::string& line : prose(page)) {
    if (!line.starts_with("#")) continue;
    std::string name;
    for (const char c : line.substr(std::min(line.find(' ') + 1, line.size())))
      if (c == ' ')
        name += '-';
      else if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_')
        name += char(std::tolower(static_cast<unsigned char>(c)));
    names.insert(name);
  }
  return names;
}

struct Link {
  fs::path page, target;
  std::string anchor, text;
};

std::vector<Link> links_of(const fs::path& page) {
  static const std::regex code("`[^`]*`"), link("\\]\\(([^()\\s]+)\\)");
  std::vector<Link> links;
  std::string text;
  for (const std::string& line : prose(page)) text += std::regex_replace(line, code, "") + "\n";
  for (auto it = std::sregex_iterator(text.begin(), text.end(), link); it != std::sregex_iterator(); ++it) {
    const std::string target = (*it)[1];
    if (target.find("://") != std::string::npos || target.starts_with("mailto:")) continue;
    const size_t hash = target.find('#');
    const fs::path file = hash == 0 ? page : page.parent_path() / target.substr(0, hash);
    links.push_back({page, file.lexically_normal(), hash == std::string::npos ? "" : target.substr(hash + 1), target});
  }
  return links;
}

TEST(Links, LeadToFilesAndHeadingsThatAreThere) {
  size_t seen = 0;
  for (const fs::path& page : pages())
    for (const Link& link : links_of(page)) {
      ++seen;
      EXPECT_TRUE(fs::exists(link.target)) << page << " links to '" << link.text << "', which is not there";
      if (!link.anchor.empty() && link.target.extension() == ".md" && fs::exists(link.target)) {
        EXPECT_TRUE(anchors(link.target).contains(link.anchor))
            << page << " links to '" << link.text << "': there is no such heading";
      }
    }
  EXPECT_GT(seen, 20u);
}

TEST(Links, EveryPageIsInTheListOfPages) {
  std::set<fs::path> listed;
  for (const Link& link : links_of(kRoot / "docs/README.md")) listed.insert(link.target);
  for (const fs::path& page : pages())
    if (page.parent_path() == kRoot / "docs" && page.filename() != "README.md") {
      EXPECT_TRUE(listed.contains(page)) << "docs/README.md does not name " << page;
    }
}

// docs/portability.md is a list for those who port: its last part names every header of POSIX and Linux in use.
TEST(Links, PortabilityNamesEveryHeaderOfTheSystem) {
  static const std::regex header(
      "#include <((sys/[a-z]+|unistd|fcntl|poll|signal|spawn|dlfcn|pwd|grp|sched|elf|time)\\.h)>");
  std::string named;
  for (const std::string& line : prose(kRoot / "docs/portability.md")) named += line + "\n";
  named = named.substr(named.find("## Headers"));
  size_t seen = 0;
  for (const char* room : {"app", "align", "io", "knn", "library", "mesh", "splat", "viewer"})
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / room)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path());
      std::smatch match;
      for (std::string line; std::getline(file, line);)
        if (line.starts_with("#include <") && std::regex_search(line, match, header)) {
          ++seen;
          EXPECT_NE(named.find("`" + match[1].str() + "`"), std::string::npos)
              << entry.path() << " includes " << match[1]
              << ": say in docs/portability.md what stands for it elsewhere";
        }
    }
  EXPECT_GT(seen, 20u);
}

}  // namespace
