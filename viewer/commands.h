// What the window asks of the application: plain values, put into a queue and carried out on the application's threads.
// The answers come back through the mailboxes of app_state.h.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>

#include "splat/model/image.h"
#include "viewer/mailbox.h"

namespace viewer {

// The settings of a run that the training panel shows; everything else keeps its default.
struct TrainingChoices {
  int iterations = 7000;
  int resolution = 0;       // 1..8: divisor; more: longest side, px; 0: full size up to 1600 px
  uint64_t max_splats = 0;  // 0: as many as the photos have pixels for
  int sh_degree = 3;
  bool hold_out = true;  // keep every test_every-th photo for PSNR and SSIM
  int test_every = 8;
  uint64_t seed = 0;
  std::array<float, 3> background{0, 0, 0};  // [0,1]
  bool random_background = false;
  bool antialias = false;
  std::string backend = "auto";  // "auto", "cpu", "hip", "cuda"
  int device = -1;               // -1: the best
  int checkpoint_every = 5000;   // iterations; 0: only when asked
  std::filesystem::path output;  // folder; empty: beside the dataset's name in the working folder

  friend bool operator==(const TrainingChoices&, const TrainingChoices&) = default;
};

struct OpenPath {  // splat file or dataset; ends a training run in progress (the window has asked before)
  std::filesystem::path path;
};
struct CancelOpening {};
struct StartTraining {  // the dataset opened last
  TrainingChoices choices;
};
struct PauseTraining {};
struct ResumeTraining {};
struct StopTraining {
  bool save_checkpoint = true;
};
struct SaveCheckpoint {};
struct ExportSplats {  // the training state, else the opened splats; format by extension
  std::filesystem::path path;
};
struct WantPhoto {   // answered by a Photo
  int view = 0;      // of the dataset
  int max_side = 0;  // px; 0: as it is
};
struct WantComparison {  // answered by a Comparison
  int view = 0;          // of the dataset
};
struct SavePicture {  // as PNG
  std::filesystem::path path;
  splat::Image8 picture;
};

using Command = std::variant<OpenPath, CancelOpening, StartTraining, PauseTraining, ResumeTraining, StopTraining,
                             SaveCheckpoint, ExportSplats, WantPhoto, WantComparison, SavePicture>;
using CommandQueue = Queue<Command>;

}  // namespace viewer
