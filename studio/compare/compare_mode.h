// Photos beside what the splats show from their places: which two pictures are compared, and what was measured of each
// photo. The window's thread; no drawing, no files.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "studio/compare/messages.h"
#include "studio/documents/messages.h"

namespace studio {

enum class ComparedPicture : int { kSplats, kPhoto, kError };

// How two pictures are shown: on either side of a border, one after the other in the same place, or as the absolute
// difference of their colours, brighter.
enum class CompareStyle : int { kWipe, kBlink, kDifference };

struct MeasuredPhoto {
  int iteration = -1;  // of the run; -1: of a file
  double psnr = 0, ssim = 0;
  bool failed = false;  // it could not be read, or is not among the run's
};

enum class PhotoOrder : int { kName, kPsnr, kSsim };

struct CompareMode {
  bool on = false;  // over the whole scene
  int view = -1;    // the photo that is compared; -1: none
  ComparedPicture left = ComparedPicture::kSplats, right = ComparedPicture::kPhoto;
  CompareStyle style = CompareStyle::kWipe;
  float split = 0.5f;                    // of the width, where the left picture ends
  std::map<int, MeasuredPhoto> figures;  // by view
  std::vector<int> waiting;              // views that are still to be measured, the next one last

  void forget();                                         // of another scene
  void choose(const std::vector<PhotoCamera>& cameras);  // a held-out photo, else the first, unless one is chosen
  void next_style();
  bool shows_right(double now) const;                     // s: of the two that blink, the right one
  void step(int by, int views);                           // to the next photo or the one before, around
  std::optional<int> measure(std::vector<int> views);     // these in turn: the first to request
  std::optional<int> note(const Comparison& comparison);  // keeps its figures; the next to request
};

// [H,W,3] the absolute difference of two pictures of the same size, four times as bright.
splat::Image8 difference(const splat::Image8& a, const splat::Image8& b);

// Those of `views`, in this order; what has no figures comes last. Equal ones by name.
std::vector<int> ordered(const CompareMode& compare, const std::vector<PhotoCamera>& cameras, PhotoOrder order,
                         bool descending);

}  // namespace studio
