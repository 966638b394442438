// Choices that a prediction or a file follows: asked for once they have been left alone for a moment, not at every step
// of a slider.
#pragma once

#include <optional>
#include <utility>

namespace studio {

template <class T>
class LeftAlone {
 public:
  // In every frame; now: s. Whether they are others than in the last one.
  bool changes(T choices, double now) {
    if (choices_ == choices) return false;
    choices_ = std::move(choices), since_ = now, asked_ = false;
    return true;
  }
  // Once for each change: they have been left alone since.
  bool due(double now) {
    constexpr double kMoment = 0.5;  // s
    if (!choices_ || asked_ || now - since_ < kMoment) return false;
    return asked_ = true;
  }
  bool asked() const { return asked_; }              // for these
  void take(T same) { choices_ = std::move(same); }  // said otherwise: no change
  void clear() { choices_.reset(), asked_ = false; }

  const std::optional<T>& choices() const { return choices_; }

 private:
  std::optional<T> choices_;
  double since_ = 0;  // s
  bool asked_ = false;
};

}  // namespace studio
