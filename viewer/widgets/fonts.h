// The interface's fonts, found by fontconfig: one for Latin, Greek and Cyrillic, and behind it those that the machine
// has for other scripts (Chinese, Japanese, Korean, ...). Files are mapped, not read: of a large font only the pages of
// the glyphs in use take memory.
#pragma once

#include <string>
#include <vector>

namespace viewer {

struct FontFile {
  std::string path;
  int index = 0;  // of the font in a collection
};

// The first is the main one, each of the others has a script that those before it lack. Empty: fontconfig finds none.
std::vector<FontFile> interface_fonts();

// Fonts of ImGui's current context, at any size; ImGui's own if none is found. Must outlive that context.
class Fonts {
 public:
  Fonts() = default;
  ~Fonts();
  Fonts(const Fonts&) = delete;
  Fonts& operator=(const Fonts&) = delete;
  void load(const std::vector<FontFile>& files);

 private:
  struct Mapping {
    void* start;
    size_t bytes;
  };
  std::vector<Mapping> mappings_;
};

}  // namespace viewer
