// The installed COLMAP and how its options are spelled: 3.8 and 4.x differ, and a command line with an option that it
// does not know ends it. Every command is asked once for its options.
#pragma once

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "align/external_tool.h"
#include "splat/core/result.h"

namespace align {

class Colmap {
 public:
  // The `colmap` on PATH, or the program that the environment variable HIPSPLAT_COLMAP names.
  static splat::Result<Colmap> find();

  const std::string& version() const { return version_; }  // "3.8"
  int major() const { return major_; }
  const std::filesystem::path& program() const { return program_; }
  // Something known to be wrong with this version; empty: nothing.
  std::string advice() const;

  const std::set<std::string>& options_of(const std::string& command);  // without the dashes

 private:
  std::filesystem::path program_;
  std::string version_;
  int major_ = 0;
  std::map<std::string, std::set<std::string>> options_;
};

// Builds the command line of one command. Of several spellings the one that this COLMAP knows is taken; an option that
// it does not know at all is left out.
class ColmapArguments {
 public:
  ColmapArguments(Colmap& colmap, const std::string& command)
      : known_(colmap.options_of(command)), arguments_{command} {}
  ColmapArguments& add(std::initializer_list<const char*> spellings, const std::string& value);
  ColmapArguments& add(const char* name, const std::string& value) { return add({name}, value); }
  const std::vector<std::string>& list() const { return arguments_; }

 private:
  const std::set<std::string>& known_;
  std::vector<std::string> arguments_;
};

}  // namespace align
