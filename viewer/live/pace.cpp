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

int ResolutionPace::next(bool moved) {
  shown_ = moved || shown_ == 0 ? moving_ : std::max(1, shown_ / 2);
  return shown_;
}

void ResolutionPace::took(int divisor, double ms) {
  cost_.took(divisor, ms);
  if (divisor != moving_) return;
  if (ms > kMovingMs) {
    moving_ = std::min(moving_ + 1, kCoarsest);
    return;
  }
  if (moving_ == 1) return;
  // By its pixels as well: it may have taken longer once, with another view.
  const bool finer_fits =
      cost_.expected_ms(moving_ - 1) < kMovingMs || ms * moving_ * moving_ < kMovingMs * (moving_ - 1) * (moving_ - 1);
  if (finer_fits) --moving_;
}

void ResolutionPace::forget() { *this = {}; }

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
