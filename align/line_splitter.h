// The output of a program, cut into lines as it comes: at \n, at \r (progress that is rewritten in place) and, when the
// program falls silent in the middle of a line, what there is of it. COLMAP 3.8 prints half a line before a long step
// and its time after it. Lines longer than kLongestLine are cut.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace align {

class LineSplitter {
 public:
  static constexpr size_t kLongestLine = 8192;  // bytes

  // `continued`: the beginning of this line was reported before, at a silence.
  using OnLine = std::function<void(std::string_view text, bool continued)>;
  explicit LineSplitter(OnLine on_line) : on_line_(std::move(on_line)) {}

  void add(std::string_view bytes);
  void silence();                                        // the program printed nothing for a while, or ended
  bool has_half_line() const { return !half_.empty(); }  // something that silence() would report

 private:
  void report();

  OnLine on_line_;
  std::string half_;
  bool continued_ = false;
};

}  // namespace align
