// How many instances (splats in tiles) the lists of a view have room for, which is also how many keys are sorted:
// learnt from the views before, whose counts arrive after their lists were made. A photo's room follows its own last
// count, up and down, what others have gained since, and the splats that were added; that of a photo not seen yet the
// largest count; that of any other view the view before. A view that turns out to have more is drawn again, or its
// step left out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "splat/core/device_error.h"

namespace splat::gpu {

class InstanceRoom {
 public:
  // Before any view was counted; for reserve() as well.
  static constexpr size_t kPerSplat = 4, kSmallest = 4096;
  static constexpr size_t kLargest = (size_t(1) << 31) - 1;  // what 32-bit places in the lists can count

  static size_t at_first(size_t splats) { return std::clamp(kPerSplat * splats, kSmallest, kLargest); }

  struct ViewOf {
    uint64_t photo = 0;  // RenderSettings::photo
    size_t splats = 0, tiles = 0;
  };

  size_t next() const { return room_for(view_); }  // of another view like the one drawn last
  size_t drawn() const { return drawn_; }          // that the lists of the view drawn last were made with
  size_t reserved() const { return std::max(drawn_, reserved_); }  // that memory is kept for
  bool counted() const { return counted_; }                        // some view of this model was
  bool settled() const { return settled_; }                        // the view drawn last was

  void reserve(size_t splats) { reserved_ = std::max({reserved_, kSmallest, kPerSplat * splats}); }
  void model_replaced() { *this = InstanceRoom(); }
  void limit(size_t instances) { limit_ = instances, counted_ = true; }  // of the next view: for tests

  void draw(const ViewOf& view) {
    view_ = view;
    drawn_ = room_for(view);
    limit_ = 0;
    settled_ = false;
  }
  // The count of the view drawn last: did it fit? Throws DeviceError for more than can be listed.
  bool learn(uint64_t instances) {
    if (instances > kLargest)
      throw DeviceError("a view of " + std::to_string(instances) + " splats in tiles",
                        "it can list " + std::to_string(kLargest) + "; a smaller -r or --max-splats helps");
    Count now{double(instances), double(view_.tiles), gain_};
    if (view_.photo != 0) {
      Count& before = photos_[view_.photo];
      if (before.tiles == now.tiles && before.instances > 0)
        gain_ = std::max(kFade * gain_, before.gain * now.instances / before.instances);
      now.gain = gain_;
      before = now;
    }
    if (now.instances >= largest_.instances) largest_ = now;
    last_ = now;
    counted_splats_ = view_.splats;
    counted_ = settled_ = true;
    return instances <= drawn_;
  }

 private:
  static constexpr double kSpare = 1.25, kSpareUnseen = 1.5;
  static constexpr double kFade = 0.99;  // of the gain, by view

  struct Count {
    double instances = 0, tiles = 0, gain = 1;
  };
  // Photos are trained at several sizes: no splat reaches more of the new tiles than that. What was added since a view
  // was counted may lie in this one.
  size_t room_for(const Count& count, double spare, const ViewOf& view) const {
    const double tiles = count.tiles > 0 ? std::max(1.0, double(view.tiles) / count.tiles) : 1;
    const double added = std::max(1.0, double(view.splats) / double(std::max<size_t>(counted_splats_, 1)));
    const double room = spare * count.instances * tiles * added * std::max(1.0, gain_ / count.gain);
    return size_t(std::clamp(room, double(kSmallest), double(kLargest)));
  }
  size_t room_for(const ViewOf& view) const {
    if (limit_ != 0) return limit_;
    if (!counted_) return at_first(view.splats);
    if (view.photo == 0) return room_for(last_, kSpare, view);
    const auto seen = photos_.find(view.photo);
    return seen != photos_.end() ? room_for(seen->second, kSpare, view) : room_for(largest_, kSpareUnseen, view);
  }

  ViewOf view_;  // drawn last
  std::unordered_map<uint64_t, Count> photos_;
  Count largest_, last_;
  double gain_ = 1;            // of the photos' counts since the first: the most that one seen lately tells
  size_t counted_splats_ = 0;  // when a view was counted last
  size_t drawn_ = 0, reserved_ = 0, limit_ = 0;
  bool counted_ = false, settled_ = true;
};

}  // namespace splat::gpu
