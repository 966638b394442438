// Resolution and rate of pictures, so that moving stays fluid and drawing costs training little. Plain arithmetic on
// measured times, without a clock.
#pragma once

#include <array>
#include <cstddef>

namespace viewer {

inline constexpr int kCoarsest = 8;  // the sides of a moving picture are divided by 1..8

// Predicts the time of a picture with divided sides, from earlier ones of that divisor, else from the number of pixels
// (an upper bound: part of the cost is the splats', whatever the size).
class PictureCost {
 public:
  void took(int divisor, double ms);
  double expected_ms(int divisor) const;  // 0: unknown yet
  bool known() const { return expected_ms(1) > 0; }
  void forget() { ms_ = {}; }

 private:
  std::array<double, kCoarsest + 1> ms_{};  // by divisor; 0: not measured
};

// For a thread that only draws. While the view moves: coarser, until a picture takes kMovingMs; where it takes longer
// at kCoarsestWhole, or has more than kManySplats, with a half of the splats, a quarter, ... instead of coarser still.
// At rest: at full size with all splats at once where that is known to be short enough, else twice as sharp with each
// picture, so that a new movement never waits for a whole sharp one.
class ResolutionPace {
 public:
  static constexpr double kMovingMs = 33, kSharpAtOnceMs = 500, kStillMs = 100;
  static constexpr int kCoarsestWhole = 4, kFinestThinned = 2;  // divisors
  static constexpr size_t kManySplats = 500'000, kFewestSplats = 120'000;

  // How many of `splats` a moving view is drawn with at first; 0: all.
  static size_t part_of(size_t splats);

  struct Next {
    int divisor = 1;
    int halvings = 0;  // of the number of splats that it is drawn with; 0: all
  };
  // Another model, of which moving pictures may be drawn with fewer splats: measured times no longer hold.
  void begin(size_t splats);
  void forget() { begin(0); }  // another model, that is always drawn whole

  Next next(bool moved);  // of the next picture; `moved`: the request is another one than the last
  void took(double ms);   // that picture
  // For how long a view must have stood still before its next picture: a movement that goes on would wait for that one.
  // kStillMs, or 0 where it is as short as those of a moving view.
  double still_ms() const;
  void stays_sharp() { shown_ = 1; }          // the next one is drawn at full size, for little
  bool sharp() const { return shown_ == 1; }  // the last picture is at full size, with all splats

 private:
  void moving_took(double ms);
  bool can_halve() const { return splats_ >> (halvings_ + 1) >= kFewestSplats; }
  void set_halvings(int halvings);

  PictureCost moving_cost_, rest_cost_;
  size_t splats_ = 0;
  int moving_ = 2, shown_ = 0;
  int halvings_ = 0, least_halvings_ = 0;  // least: with fewer it was too slow
  bool moves_ = false;                     // the last next() was for a view that moves
};

// For the training thread between two iterations: pictures may take kShare of the run's time, and not more. Time is
// saved up for a sharp picture or for a fluid movement, kMostSaved at most. The first picture is coarse, since the time
// of a sharp one is not known yet.
class PictureBudget {
 public:
  static constexpr double kShare = 0.08;  // leaves part of the promised tenth to the window itself
  static constexpr double kPeriod =
      1 / 30.0;                            // s between two pictures; of a moving view at most half an iteration less
  static constexpr double kMostSaved = 1;  // s

  void trained(double seconds);
  void spent(int divisor, double seconds);
  // The divisor of a picture that is due now; 0: none is. moved: the request changed since the last picture, which was
  // done that long ago.
  int due(bool moved, double seconds_since_last) const;
  double share() const;  // of the time so far

 private:
  static constexpr int kCoarsestMoving = 4;
  bool affordable(int divisor) const;

  PictureCost cost_;
  double saved_ = 0, trained_ = 0, spent_ = 0;
  double iteration_ = 0, picture_ = 0;  // s, the latest
  int shown_ = 0;
};

}  // namespace viewer
