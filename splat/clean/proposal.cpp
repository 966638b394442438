#include "splat/clean/proposal.h"

#include <algorithm>
#include <cmath>

#include "knn/knn.h"
#include "splat/core/check.h"
#include "splat/edit/nearness.h"
#include "splat/math/activation.h"
#include "splat/math/constants.h"
#include "splat/model/gaussian_rows.h"

namespace splat::clean {
namespace {

struct ReasonRow {
  std::string_view name, sentence;
};
constexpr std::array<ReasonRow, kReasons> kReasonRows{{
    {"none", ""},
    {"floater", "before what the cameras look at, and against the photos"},
    {"against_photos", "against the photos: their errors shrink without them"},
    {"too_large", "too large, and held up by no photo"},
    {"too_elongated", "needles that no photo holds up"},
    {"isolated", "apart from all others, and held up by no photo"},
    {"hardly_seen", "hardly seen in any photo"},
    {"transparent", "too transparent to be drawn"},
}};
struct StrengthRow {
  std::string_view name, sentence;
  float least_score;
};
constexpr std::array<StrengthRow, kStrengths> kStrengthRows{{
    {"careful", "only what the photos speak against clearly", 4},
    {"normal", "what the photos speak against, and suspect splats that no photo holds up", 1},
    {"strong", "weaker reasons as well: look before you delete", 0.5f},
}};

// The unit of a score: 0.6 grey levels squared, mean over a photo.
constexpr double kLeastGain = 0.6 / (255.0 * 255.0);
// Less is enough where there is no surface for a splat to be a part of: there it is often one of several before each
// other, each of which hides the others' harm. The views look through, or nothing is near: splats of a surface lie in
// each other, so that the fourth neighbour is rarely farther away than the sizes of both together.
constexpr double kLoneWeight = 25;
constexpr double kApart = 1.25;  // such sizes
constexpr size_t kNeighbours = 4;
constexpr double kFirstLimit = 16;  // score from which a splat goes in the first round; half of that in the next
constexpr int kMostRounds = 12;
constexpr int kFewViews = 3;                          // below this a splat has hardly been seen
constexpr float kHardlySeen = 0.02f;                  // blending weight
constexpr double kLargest = 0.2, kLongest = 30;       // of the scene's radius; longest axis over the middle one
constexpr double kSmallPart = 0.001, kPartCells = 4;  // of all splats; usual distances
constexpr double kOutermost = 0.01;  // of the splats on either side: outliers do not make a scene large

// Half the diagonal of the box around the centres, without the outermost.
double scene_radius(const Gaussians& model) {
  double squared = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    std::vector<float> values;
    for (size_t row = 0; row < model.size(); ++row)
      if (std::isfinite(model.means[3 * row + axis])) values.push_back(model.means[3 * row + axis]);
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const size_t cut = size_t(kOutermost * double(values.size()));
    const double extent = double(values[values.size() - 1 - cut]) - values[cut];
    squared += extent * extent;
  }
  return 0.5 * std::sqrt(squared);
}

// Between neighbours, if the centres filled their box evenly.
double usual_distance(const Gaussians& model, double radius) {
  const double volume = std::pow(2 * radius, 3);
  return model.size() > 0 ? std::cbrt(volume / double(model.size())) : 0;
}

class Proposing {
 public:
  Proposing(const CleanInputs& inputs, const Gaussians& model, Strength strength)
      : inputs_(inputs), model_(model), least_(least_score(strength)) {
    proposal_.score.resize(model.size());
    proposal_.reasons.resize(model.size());
    left_.resize(model.size());
    for (size_t row = 0; row < left_.size(); ++row) left_[row] = uint32_t(row);
  }

  Result<Proposal> run() {
    for (bool more = true; more && proposal_.rounds < kMostRounds;) {
      const Gaussians now = gather_rows(model_, left_);
      SPLAT_ASSIGN_OR_RETURN(Evidence evidence, gather(inputs_, now));
      ++proposal_.rounds;
      SPLAT_ASSIGN_OR_RETURN(more, take_worst(now, evidence));
      if (!more) take_suspects(now, evidence);
    }
    return std::move(proposal_);
  }

 private:
  // What contradicts the photos most, down to the first limit that takes something; false: nothing does enough.
  Result<bool> take_worst(const Gaussians& now, Evidence& evidence) {
    const std::vector<double> weights = harm_weights(now, evidence);
    for (bool last = false; !last;) {
      const double limit = std::max(double(least_), limit_);
      last = limit <= double(least_);
      limit_ /= 2;
      std::vector<uint32_t> rows;
      for (uint32_t i = 0; i < left_.size(); ++i) {
        const bool harms = std::max(2.0, weights[i]) * evidence.excess[i] >= limit * kLeastGain;
        if (harms || (last && has_few_views(evidence, i))) rows.push_back(i);
      }
      if (rows.empty()) continue;
      SPLAT_TRY(measure_own_squares(inputs_, now, rows, evidence));
      if (take_harmful(evidence, weights, rows, limit)) return true;
    }
    return false;
  }

  bool take_harmful(const Evidence& evidence, const std::vector<double>& weights, const std::vector<uint32_t>& rows,
                    double limit) {
    std::vector<uint8_t> goes(left_.size());
    for (const uint32_t i : rows) {
      const double surplus = std::clamp(std::min(evidence.surplus(i), evidence.fair_surplus(i)), 0.0, 1.0);
      const double by_place = surplus >= kLeastSurplus ? weights[i] * evidence.excess[i] * surplus : 0;
      const double by_photos = evidence.fair_gain(i) > 0 ? evidence.gain(i) : 0;
      const double harm = std::max(by_photos, by_place) / kLeastGain;
      if (!(evidence.excess[i] > 0) || harm < limit) continue;
      const bool floats = by_place > by_photos || evidence.floating(i) >= kMostlyFloating;
      take(left_[i], float(harm), floats ? Reason::kFloater : Reason::kAgainstPhotos);
      goes[i] = 1;
    }
    std::vector<uint32_t> rest;
    for (size_t i = 0; i < left_.size(); ++i)
      if (!goes[i]) rest.push_back(left_[i]);
    const bool any = rest.size() < left_.size();
    left_ = std::move(rest);
    return any;
  }

  static constexpr double kMostlyFloating = 0.5;
  static constexpr double kLeastSurplus = 0.05;  // what fits all photos but one has hardly any
  static bool has_few_views(const Evidence& evidence, size_t i) { return evidence.views[i] < uint32_t(kFewViews); }

  // [left] by how much more harm counts where there is no surface; 0: not at all.
  static std::vector<double> harm_weights(const Gaussians& now, const Evidence& evidence) {
    std::vector<double> weights(now.size());
    std::vector<float> places;
    std::vector<uint32_t> row_of;
    for (uint32_t i = 0; i < now.size(); ++i) {
      const float* mean = &now.means[3 * size_t(i)];
      if (!std::isfinite(mean[0]) || !std::isfinite(mean[1]) || !std::isfinite(mean[2])) continue;
      places.insert(places.end(), mean, mean + 3);
      row_of.push_back(i);
    }
    const knn::PointIndex index(std::move(places));
    for (uint32_t i = 0; i < now.size(); ++i) {
      const double floating = evidence.floating(i);
      weights[i] = kLoneWeight * floating * floating;
      const bool matters = kLoneWeight * evidence.excess[i] >= least_score(Strength::kStrong) * kLeastGain;
      if (matters && weights[i] < kLoneWeight && stands_alone(now, index, row_of, i)) weights[i] = kLoneWeight;
    }
    return weights;
  }

  static double size_of(const Gaussians& now, size_t row) {
    return std::exp(double(*std::max_element(&now.log_scales[3 * row], &now.log_scales[3 * row] + 3)));
  }

  // row_of: the row of each point of the index.
  static bool stands_alone(const Gaussians& now, const knn::PointIndex& index, const std::vector<uint32_t>& row_of,
                           size_t row) {
    const float* mean = &now.means[3 * row];
    if (!std::isfinite(mean[0]) || !std::isfinite(mean[1]) || !std::isfinite(mean[2])) return false;
    std::array<uint32_t, kNeighbours + 1> found{};  // the first is the splat itself, or lies where it lies
    if (index.nearest(mean, found) < found.size()) return false;
    double reach = size_of(now, row);
    for (size_t k = 1; k <= kNeighbours; ++k) reach += size_of(now, row_of[found[k]]) / double(kNeighbours);
    const float* farthest = index.point(found[kNeighbours]);
    const double distance =
        std::hypot(double(mean[0]) - farthest[0], double(mean[1]) - farthest[1], double(mean[2]) - farthest[2]);
    return distance > kApart * reach;
  }

  // By form, where few views have seen it and none is the worse for its going; and by not being seen.
  void take_suspects(const Gaussians& now, const Evidence& evidence) {
    const double radius = scene_radius(now);
    std::vector<uint32_t> parts;
    if (radius > 0) parts = edit::part_sizes(now.means, kPartCells * usual_distance(now, radius));
    for (size_t i = 0; i < left_.size(); ++i) {
      std::array<double, 3> s{};
      for (size_t c = 0; c < 3; ++c) s[c] = std::exp(double(now.log_scales[3 * i + c]));
      std::sort(s.begin(), s.end());
      const bool unsupported = has_few_views(evidence, i) && evidence.gain(i) > -kLeastGain;
      const float suspect = least_score(Strength::kNormal), unseen = least_score(Strength::kStrong);
      if (unsupported && s[2] > kLargest * radius)
        take(left_[i], suspect, Reason::kTooLarge);
      else if (unsupported && s[2] > kLongest * s[1])
        take(left_[i], suspect, Reason::kTooElongated);
      else if (unsupported && !parts.empty() && double(parts[i]) < kSmallPart * double(now.size()))
        take(left_[i], suspect, Reason::kIsolated);
      else if (math::sigmoid(double(now.logit_opacities[i])) < math::kAlphaMin)
        take(left_[i], unseen, Reason::kTransparent);
      else if (unsupported && evidence.max_weight[i] < kHardlySeen)
        take(left_[i], unseen, Reason::kHardlySeen);
    }
  }

  void take(uint32_t row, float score, Reason reason) {
    if (score < least_) return;
    proposal_.score[row] = score;
    proposal_.reasons[row] = reason;
  }

  const CleanInputs& inputs_;
  const Gaussians& model_;
  const float least_;
  double limit_ = kFirstLimit;
  Proposal proposal_;
  std::vector<uint32_t> left_;  // rows of the model
};

}  // namespace

std::string_view name_of(Reason reason) { return kReasonRows[size_t(reason)].name; }
std::string_view sentence_of(Reason reason) { return kReasonRows[size_t(reason)].sentence; }
std::string_view name_of(Strength strength) { return kStrengthRows[size_t(strength)].name; }
std::string_view sentence_of(Strength strength) { return kStrengthRows[size_t(strength)].sentence; }
float least_score(Strength strength) { return kStrengthRows[size_t(strength)].least_score; }

// Most often one round a limit, and one in which nothing is found any more; what comes after these is the rest of
// kMostRounds.
double share_of_rounds(int round, double within, Strength strength) {
  const int usual = int(std::lround(std::log2(kFirstLimit / double(least_score(strength))))) + 2;
  const double done = round - 1 + within, last = usual - 1;
  if (done <= last) return done / usual;
  return std::min(1.0, (last + (done - last) / (kMostRounds - last)) / usual);
}

std::vector<uint8_t> Proposal::taken(Strength strength) const {
  std::vector<uint8_t> rows(score.size());
  for (size_t row = 0; row < rows.size(); ++row) rows[row] = score[row] >= least_score(strength);
  return rows;
}

std::array<size_t, kReasons> Proposal::counts(Strength strength) const {
  std::array<size_t, kReasons> counts{};
  for (size_t row = 0; row < score.size(); ++row)
    if (score[row] >= least_score(strength)) ++counts[size_t(reasons[row])];
  return counts;
}

Result<Proposal> propose(const CleanInputs& inputs, const Gaussians& model, Strength strength) {
  return Proposing(inputs, model, strength).run();
}

std::vector<int> spread(const std::vector<int>& views, size_t most) {
  if (views.size() <= most) return views;
  std::vector<int> chosen;
  for (size_t i = 0; i < most; ++i) chosen.push_back(views[i * views.size() / most]);
  return chosen;
}

std::vector<uint8_t> numbers_of(const std::vector<Reason>& reasons) {
  std::vector<uint8_t> numbers(reasons.size());
  std::transform(reasons.begin(), reasons.end(), numbers.begin(), [](Reason reason) { return uint8_t(reason); });
  return numbers;
}

}  // namespace splat::clean
