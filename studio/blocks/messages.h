// A scene in blocks (hipsplat blocks): what one is planned of, and how far its blocks are, as the application reads it
// from their files.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs/blocks/block_state.h"
#include "app/settings/options.h"
#include "studio/documents/run_state.h"
#include "viewer/camera/geometry.h"
#include "viewer/widgets/theme.h"

namespace studio {

struct CityBlock : BlockState {
  bool can_open = false;  // it has splats, or a checkpoint at least

  friend bool operator==(const CityBlock&, const CityBlock&) = default;
};

// What a plan is made with, of the dataset that is open.
struct BlocksChoices {
  TrainingChoices training;  // output: the city's folder; iterations: of each block, 0: by the photos
  BlocksSettings blocks;     // memory 0: what the device has

  friend bool operator==(const BlocksChoices&, const BlocksChoices&) = default;
};

struct WantBlocksForecast {  // answered by a BlocksForecast, unless another one is wanted
  BlocksChoices choices;
};
struct PlanBlocks {  // answered by a CityPlanned
  BlocksChoices choices;
  bool ends_work() const { return true; }
};

// What the cameras alone say of the plan.
struct BlocksForecast {
  using OnlyNewest = void;
  BlocksChoices choices;
  std::filesystem::path place;  // suggested for it
  uint64_t memory = 0;          // bytes that a block may need; 0: not limited
  size_t blocks = 0, least_photos = 0, most_photos = 0;
  int scaffold_iterations = 0, least_iterations = 0, most_iterations = 0;
  uint64_t most_bytes = 0;  // of memory, that a block needs
  std::string problem;      // why there is no such plan; empty: the figures stand
};

struct CityPlanned {
  std::filesystem::path path;
};

// A cell as it is drawn: the corners of its floor one after another, and those above them.
struct CityBox {
  std::array<Vec3, 4> floor, ceiling;
};

inline constexpr int kCityScaffold = -1, kCityMerged = -2;  // in place of the number of a block

struct OpenCityPart {  // answered by OpenedSplats
  std::filesystem::path city;
  int part = 0;  // a block, or one of kCity...
  bool ends_work() const { return true; }
};

// Trains the blocks that are not done, one after another, and merges them: in this process, until another scene comes.
struct StartBlocks {
  std::filesystem::path city;
  DeviceOptions device{};
};
struct StopBlocks {};  // with a checkpoint

enum class CityWork { kNone, kTrains, kStops };  // of this window

// The scene in blocks that is open, whenever it has changed.
struct CityScene {
  using OnlyNewest = void;
  std::filesystem::path path;  // its folder; empty: none is open
  std::vector<CityBlock> blocks;
  std::vector<CityBox> boxes;  // of each
  bool merged = false;         // the whole has been written
  int shown = kCityScaffold;   // whose splats are open
  CityWork work = CityWork::kNone;
  uint64_t merges = 0;  // by this window, so far
  std::string command;  // that does the same elsewhere
};

inline const std::array<float, 4>& stage_colour(const Palette& colours, BlockState::Stage stage) {
  switch (stage) {
    case BlockState::Stage::kRunning:
      return colours.accent;
    case BlockState::Stage::kStopped:
      return colours.warning;
    case BlockState::Stage::kFailed:
      return colours.bad;
    case BlockState::Stage::kDone:
      return colours.good;
    case BlockState::Stage::kWaiting:
      break;
  }
  return colours.faint;
}

}  // namespace studio
