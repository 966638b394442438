// Controls of the panels, so that all of them look and behave alike.
#pragma once

#include <imgui/imgui.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "viewer/widgets/theme.h"

namespace viewer {

// "label   [control]" with a tooltip over both: { Row row("Speed", "..."); ImGui::SliderFloat("##speed", ...); }
// The control takes the rest of the line; its id must be given.
class Row {
 public:
  Row(const char* label, const char* tip);
  ~Row();
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

 private:
  const char *label_, *tip_;
};

// Buttons that share the rest of a line evenly, however narrow the panel: EvenRow row(look, 3); row.button(...). One
// whose label would be cut off has a line to itself, and all of it; so has the last one beside nothing.
class EvenRow {
 public:
  EvenRow(const Appearance& look, int count);  // of all its buttons
  ~EvenRow() { ImGui::PopStyleVar(2); }
  EvenRow(const EvenRow&) = delete;
  EvenRow& operator=(const EvenRow&) = delete;
  bool button(const char* label, const char* tip, bool marked = false);  // marked: selected

 private:
  int left_;               // buttons that are still to come
  float start_;            // px: where each line begins
  float width_, all_;      // px: of a button, of the line
  bool joinable_ = false;  // the next one may stand beside the last
};

void note_place(const char* label);  // of the last item, for the trace that tests follow; buttons do so themselves
void note_place(const char* label, float x, float y);  // of what is no item
bool entered();                                        // the last item, a field, was changed and ended by Enter
void tooltip(const char* text);                        // of the last item, also when it is disabled
bool button(const char* label, const char* tip, float width = 0, float height = 0);  // 0: as large as its label
// A button that stays marked while what it stands for is on.
bool toggle_button(const char* label, const char* tip, bool on, float width = 0);
bool main_button(const Appearance& look, const char* label, const char* tip, float width, float height = 0);
bool checkbox(const char* label, bool* value, const char* tip);
// For a row that goes on in the next line where the rest of this one is narrower than the next item.
void go_on(float width);  // px
bool next_button(const char* label, const char* tip);
bool section(const char* title, bool open = true);  // a heading that can be folded
void leave_out_section_heading();  // in the current window, whose own title says what its only section is
void fact(const char* label, const std::string& value, const char* tip = nullptr);  // "label   value"
void faint_text(const Appearance& look, const std::string& text);                   // wrapped
void coloured_text(const std::array<float, 4>& colour, const std::string& text);    // wrapped
struct SliderRange {
  float low, high, standard;  // standard: where a right click puts it
  const char* format = "%.2f";
  bool logarithmic = false;
};
bool slider(const char* id, float* value, const SliderRange& range);
bool count_field(const char* id, int* value, int most);  // 0, and nothing typed, reads "automatic"
// Degree of spherical harmonics as four buttons; those above `most` cannot be pressed. In a Row.
bool degree_choice(const Appearance& look, int* degree, int most = 3);
bool choice(const char* id, int* value, const std::vector<const char*>& names);  // a drop-down list
// One in a Row, of a value that is one of the names; the first where it is none.
void named_choice_row(const char* label, const char* tip, const char* id, std::string& value,
                      const std::vector<const char*>& names);

// The last row of a dialog that asks for a file: true when it is to be saved, by the button or because the user
// `confirmed` with Enter. Either answer clears `wanted` and closes the dialog.
bool save_or_cancel(const Appearance& look, const char* tip, bool confirmed, bool& wanted);

// A modal in the middle, `ems` of the font wide at most; call ImGui::EndPopup() when it returns true.
bool begin_modal(const char* title, bool wanted, float ems = 30);

// A centred rectangle of a picture's shape, as large as fits into the rest of the window.
struct PicturePlace {
  ImVec2 low, high;
  float x(float share) const { return low.x + share * (high.x - low.x); }
};
PicturePlace fitted_picture(float width, float height);

ImTextureID texture_id(unsigned name);
ImU32 packed(const std::array<float, 4>& rgba);

std::string as_sentence(std::string text);                 // begins with a capital, where it begins with a plain word
std::string elided(const std::string& text, float width);  // "the first...the last", at most so wide
// Broken between words alone, where Dear ImGui breaks after a full stop, too; a word that no line holds, as a path, is
// elided.
struct Lines {
  std::string text;
  bool cut = false;  // a word was elided
};
Lines in_lines(const std::string& text, float width);
Lines in_even_lines(const std::string& text, float width);          // as many, none much longer than the others
std::string words_within(const std::string& text, float width);     // "the first words...", at most so wide
bool has_words(const std::string& text, const std::string& words);  // each of them somewhere, in capitals or not
std::string count_text(uint64_t count);                             // "1 234 567"
std::string bytes_text(uint64_t bytes);                             // "3.2 GB"
std::string file_size_text(uint64_t bytes);                         // "850 kB", "3.2 MB": of files in a list
std::string duration_text(double seconds);                          // "3 min 20 s"
std::string number_text(double value, const char* format);

}  // namespace viewer
