#include "viewer/live/pace.h"

#include <algorithm>

namespace viewer {

void PictureCost::took(int divisor, double ms) {
  constexpr double kWeight = 0.5;  // of the newest
  double& known = ms_[size_t(divisor)];
  known = known == 0 ? ms : known + kWeight * (ms - known);
}

double PictureCost::expected_ms(int divisor) const {
  if (ms_[size_t(divisor)] > 0) return ms_[size_t(divisor)];
  for (int finer = divisor - 1; finer >= 1; --finer)
    if (ms_[size_t(finer)] > 0) return ms_[size_t(finer)];
  for (int coarser = divisor + 1; coarser <= kCoarsest; ++coarser)
    if (ms_[size_t(coarser)] > 0) return ms_[size_t(coarser)] * coarser * coarser / (divisor * divisor);
  return 0;
}

// ---- ResolutionPace

void ResolutionPace::begin(size_t splats) {
  *this = {};
  splats_ = splats;
  while (splats_ >> halvings_ > kManySplats) ++halvings_;
}

size_t ResolutionPace::part_of(size_t splats) {
  ResolutionPace pace;
  pace.begin(splats);
  return pace.halvings_ > 0 ? splats >> pace.halvings_ : 0;
}

ResolutionPace::Next ResolutionPace::next(bool moved) {
  moves_ = moved || shown_ == 0;
  if (moves_) {
    shown_ = moving_;
    return {moving_, halvings_};
  }
  const bool at_once = rest_cost_.known() && rest_cost_.expected_ms(1) <= kSharpAtOnceMs;
  shown_ = at_once ? 1 : std::max(1, shown_ / 2);
  return {shown_, 0};
}

void ResolutionPace::took(double ms) { moves_ ? moving_took(ms) : rest_cost_.took(shown_, ms); }

double ResolutionPace::still_ms() const {
  return rest_cost_.known() && rest_cost_.expected_ms(1) <= kMovingMs ? 0 : kStillMs;
}

void ResolutionPace::set_halvings(int halvings) {
  halvings_ = halvings;
  moving_cost_.forget();
}

void ResolutionPace::moving_took(double ms) {
  moving_cost_.took(moving_, ms);
  if (ms > kMovingMs) {
    if (moving_ >= kCoarsestWhole && can_halve())
      set_halvings(least_halvings_ = halvings_ + 1);
    else
      moving_ = std::min(moving_ + 1, kCoarsest);
    return;
  }
  const int finest = halvings_ > 0 ? kFinestThinned : 1;
  if (moving_ > finest) {
    // By its pixels as well: it may have taken longer once, with another view.
    const int finer = moving_ - 1;
    if (moving_cost_.expected_ms(finer) < kMovingMs || ms * moving_ * moving_ < kMovingMs * finer * finer)
      moving_ = finer;
  } else if (halvings_ > least_halvings_ && 2 * ms < kMovingMs) {
    set_halvings(halvings_ - 1);
  }
}

// ---- PictureBudget

void PictureBudget::trained(double seconds) {
  trained_ += seconds;
  iteration_ = seconds;
  saved_ = std::min(saved_ + seconds * kShare / (1 - kShare), kMostSaved);
}

void PictureBudget::spent(int divisor, double seconds) {
  cost_.took(divisor, 1e3 * seconds);
  spent_ += seconds;
  picture_ = seconds;
  saved_ -= seconds;
  shown_ = divisor;
}

bool PictureBudget::affordable(int divisor) const {
  return saved_ >= std::min(cost_.expected_ms(divisor) / 1e3, kMostSaved) && saved_ > 0;
}

int PictureBudget::due(bool moved, double seconds_since_last) const {
  // A view that moves: from start to start, after the iteration that ends nearest, since to wait for the next would
  // cost a third of the rate where iterations take 15 ms. Nobody misses that third in a scene that forms.
  const double early = moved ? picture_ + iteration_ / 2 : 0;
  if (seconds_since_last + early < kPeriod) return 0;
  if (!cost_.known()) return affordable(kCoarsestMoving) ? kCoarsestMoving : 0;
  if (!moved) return affordable(1) ? 1 : 0;
  for (int divisor = 1; divisor <= kCoarsestMoving; ++divisor)  // the sharpest that can go on at the full rate
    if (cost_.expected_ms(divisor) / 1e3 <= kShare * kPeriod && affordable(divisor)) return divisor;
  return affordable(kCoarsestMoving) ? kCoarsestMoving : 0;
}

double PictureBudget::share() const { return trained_ + spent_ > 0 ? spent_ / (trained_ + spent_) : 0; }

}  // namespace viewer
