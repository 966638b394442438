// The interface's fonts: the one that is shipped (shipped_fonts.h), and behind it those that fontconfig finds, for
// marks and for other scripts (Chinese, Japanese, Korean, ...). Their files are mapped, not read: of a large font only
// the pages of the glyphs in use take memory.
#pragma once

#include <string>
#include <vector>

struct ImFont;

namespace viewer {

struct FontFile {
  std::string path;
  int index = 0;  // of the font in a collection
};

// The first has Latin letters, each of the others has a script that those before it lack. Empty: fontconfig finds none.
std::vector<FontFile> interface_fonts();

// Fonts of ImGui's current context, at any size: text, then headings; ImGui's own if none is found. Must outlive that
// context.
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

ImFont* heading_font();  // of the current context; that of text where there is no other

}  // namespace viewer
