#include "app/settings/align.h"

namespace app {

void add_align_rows(std::vector<OptionRow>& rows, AlignSettings& settings) {
  const char* const kAligning = "Finding the cameras of photos";
  constexpr unsigned kVerbs = kAlign | kTrain;
  rows.push_back(
      labelled(choice_row({kAligning, "", "align-quality", "NAME",
                           "fast, normal or fine: the size at which photos are looked at and how many features each "
                           "may have (1000 px and 2048, 1600 and 4096, 2400 and 8192)",
                           kVerbs},
                          &settings.quality, {"fast", "normal", "fine"}),
               "Quality"));
  rows.push_back(
      choice_row({kAligning, "", "matcher", "NAME",
                  "ours: every pair of features compared exactly, on all cores; colmap: its own search", kVerbs},
                 &settings.matcher, {"ours", "colmap"}));
  rows.push_back(labelled(
      choice_row({kAligning, "", "lens", "NAME", "normal, or fisheye where the photos show bent lines", kVerbs},
                 &settings.lens, {"normal", "fisheye"}),
      "Lens"));
  rows.push_back(
      labelled(integer_row({kAligning, "", "frames", "N", "how many to take from a video; 0: by its length", kVerbs},
                           &settings.frames, 0, 5000),
               "Frames"));
}

}  // namespace app
