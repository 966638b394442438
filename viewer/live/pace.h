// How coarse and how often pictures are made, so that moving stays fluid and looking on costs training little. Plain
// arithmetic on measured times, without clocks of its own.
#pragma once

#include <array>

namespace viewer {

inline constexpr int kCoarsest = 8;  // the sides of a moving picture are divided by 1..8

// What a picture with divided sides will take, from those made before: those of the divisor itself, else at most what
// the pixels say (a part of the cost is the splats', whatever the size).
class PictureCost {
 public:
  void took(int divisor, double ms);
  double expected_ms(int divisor) const;  // 0: nothing known yet
  bool known() const { return expected_ms(1) > 0; }
  void forget() { ms_ = {}; }

 private:
  std::array<double, kCoarsest + 1> ms_{};  // by divisor; 0: not measured
};

// For a thread that has nothing else to do: coarser while the view moves, until a picture takes kMovingMs; at rest
// twice as sharp with each picture, so that a new movement never waits for a whole sharp one.
class ResolutionPace {
 public:
  static constexpr double kMovingMs = 33;

  int next(bool moved);  // the divisor of the next picture; `moved`: the request is another one than the last
  void took(int divisor, double ms);
  bool sharp() const { return shown_ == 1; }  // the picture at hand needs no better one
  void forget();                              // another model: its costs are others

 private:
  PictureCost cost_;
  int moving_ = 2, shown_ = 0;
};

// For the training thread between two iterations: pictures may take kShare of the run's time, and not more. Time is
// saved up for a sharp picture or for a fluid movement, kMostSaved at most. The first picture is a coarse one: what a
// sharp one would cost is not known yet.
class PictureBudget {
 public:
  static constexpr double kShare = 0.08;  // leaves some of the promised tenth for the window itself
  static constexpr double kPeriod =
      1 / 30.0;                            // s between two pictures; of a moving view at most half an iteration less
  static constexpr double kMostSaved = 1;  // s

  void trained(double seconds);
  void spent(int divisor, double seconds);
  // The divisor of a picture that is due now; 0: none is. moved: the request changed since the last picture, which was
  // done that long ago.
  int due(bool moved, double seconds_since_last) const;
  double share() const;  // of all the time so far that pictures took

 private:
  static constexpr int kCoarsestMoving = 4;
  bool affordable(int divisor) const;

  PictureCost cost_;
  double saved_ = 0, trained_ = 0, spent_ = 0;
  double iteration_ = 0, picture_ = 0;  // s, the latest
  int shown_ = 0;
};

}  // namespace viewer
