// Photos or a video without cameras: the question whether their cameras are to be found, and the answer.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/settings/align.h"
#include "studio/documents/run_state.h"

namespace studio {

// What was opened and has no cameras yet; asks for a StartAlignment.
struct UnalignedPhotos {
  using OnlyNewest = void;
  std::filesystem::path input, scene;  // scene: the folder that is suggested for the result
  bool video = false;
  size_t photos = 0;  // of a folder
  std::string holds;  // a folder's contents: "63 photos in 5 folders and 2 videos (a.mp4, b.mov)"
  std::vector<std::filesystem::path> datasets;  // in a folder: they can be opened as they are
  bool begun = false;                           // an earlier attempt, which is gone on with, is in `scene`
  std::string impossible;  // why it cannot be done here: a missing program, in a sentence; empty: it can
};

struct AlignmentRequest {
  std::filesystem::path input, scene;
  AlignSettings settings;
  bool train = false;  // as soon as the cameras are found
};

struct StartAlignment {  // the answer to UnalignedPhotos; ends in an OpenedDataset, as opening does
  AlignmentRequest request;
  TrainingChoices training;  // of the run that follows, if one does
  bool ends_work() const { return true; }
};

}  // namespace studio
