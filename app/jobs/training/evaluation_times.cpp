#include "app/jobs/training/evaluation_times.h"

#include <algorithm>
#include <iterator>

namespace app {
namespace {

constexpr double kCurveShare = 0.05;                // of the training that evaluations for the curve may cost
constexpr double kViewShare = 0.35;                 // of an iteration that drawing and scoring one view costs
constexpr double kFitShare = 0.05;                  // of the training that looking at its photos again may cost
constexpr double kPhotoShare = 0.9;                 // of an iteration that it costs for a photo
constexpr size_t kFewestFitted = 8;                 // photos that are looked at however short the run was
constexpr int kCurvePoints = 10;                    // evaluations spread over the run, at most
constexpr int kUsualEvaluations[] = {7000, 30000};  // the iterations that papers report

}  // namespace

bool evaluation_is_due(int iteration, int iterations, size_t held_out_views) {
  if (held_out_views == 0) return false;
  if (std::find(std::begin(kUsualEvaluations), std::end(kUsualEvaluations), iteration) != std::end(kUsualEvaluations))
    return true;
  const int affordable =
      int(std::min(double(kCurvePoints), kCurveShare * iterations / (kViewShare * double(held_out_views))));
  return affordable > 0 && iteration % std::max(iterations / affordable, 1) == 0;
}

size_t photos_to_fit(int iterations) { return std::max(size_t(kFitShare / kPhotoShare * iterations), kFewestFitted); }

}  // namespace app
