// What COLMAP's output says about its progress: 3.8 prints to stdout, 4.x logs to stderr with a prefix
// ("I20261122 10:27:53.236408 1403 feature_extraction.cc:270] ").
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace align {

struct ColmapLine {
  enum Kind {
    kFile,         // done of total photos have their features
    kFileName,     // the photo that the last kFile was about: text
    kFileProblem,  // why it has none: text
    kFeatures,     // how many it has: done
    kBlock,        // done of total blocks of pairs
    kRegistering,  // photo `image` is tried, with `done` registered so far
    kFirstPair,    // two photos to begin with were found
    kNotRegistered,
    kNoFirstPair,
    kModelKept,
    kModelDiscarded,
  };
  Kind kind;
  size_t done = 0, total = 0;
  size_t image = 0;
  std::string text{};
};

std::optional<ColmapLine> parse_colmap_line(std::string_view line);

}  // namespace align
