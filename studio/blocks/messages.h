// A scene in blocks (--blocks) while other processes train it, as the application reads it from its files.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "viewer/camera/geometry.h"
#include "viewer/widgets/theme.h"

namespace viewer {

enum class BlockStage { kWaiting, kRunning, kStopped, kFailed, kDone };

struct CityBlock {
  BlockStage stage = BlockStage::kWaiting;
  std::string state, why;  // the stage in a word; why it failed
  int iteration = 0, iterations = 0;
  uint64_t splats = 0, memory_bytes = 0;  // at most, so far; 0: not known
  double seconds = 0;
  std::optional<double> psnr;  // dB
  bool can_open = false;       // it has splats, or a checkpoint at least

  friend bool operator==(const CityBlock&, const CityBlock&) = default;
};

// A cell as it is drawn: the corners of its floor one after another, and those above them.
struct CityBox {
  std::array<Vec3, 4> floor, ceiling;
};

inline constexpr int kCityScaffold = -1, kCityMerged = -2;  // in place of the number of a block

struct OpenCityPart {  // answered by OpenedSplats
  std::filesystem::path city;
  int part = 0;  // a block, or one of kCity...
};

// The scene in blocks that is open, whenever it has changed.
struct CityScene {
  using OnlyNewest = void;
  std::filesystem::path path;  // its folder; empty: none is open
  std::vector<CityBlock> blocks;
  std::vector<CityBox> boxes;  // of each
  bool merged = false;         // the whole has been written
  int shown = kCityScaffold;   // whose splats are open
};

inline const std::array<float, 4>& stage_colour(const Palette& colours, BlockStage stage) {
  switch (stage) {
    case BlockStage::kRunning:
      return colours.accent;
    case BlockStage::kStopped:
      return colours.warning;
    case BlockStage::kFailed:
      return colours.bad;
    case BlockStage::kDone:
      return colours.good;
    case BlockStage::kWaiting:
      break;
  }
  return colours.faint;
}

}  // namespace viewer
