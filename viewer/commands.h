// The window's requests to the application: plain values in a queue, carried out on the application's threads.
// The answers come back through the mailboxes of app_state.h.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "splat/model/box.h"
#include "splat/model/image.h"
#include "viewer/alignment.h"
#include "viewer/edit/edit_request.h"
#include "viewer/live/engine_image.h"
#include "viewer/mailbox.h"
#include "viewer/mesh_choices.h"
#include "viewer/scene_memory.h"

namespace viewer {

// The settings of a run that the training panel shows; a test compares their defaults with those of the command line.
struct TrainingChoices {
  int iterations = 7000;
  int resolution = 0;       // 1..8: divisor; more: longest side, px; 0: full size up to 1600 px
  uint64_t max_splats = 0;  // 0: as many as the photos have pixels for
  int sh_degree = 3;
  bool hold_out = true;  // keep every test_every-th photo for PSNR, SSIM and FLIP
  int test_every = 8;
  uint64_t seed = 0;
  std::array<float, 3> background{0, 0, 0};  // [0,1]
  bool random_background = false;
  bool antialias = false;
  std::string backend = "auto";      // "auto", "cpu", "hip", "cuda"
  int device = -1;                   // -1: the best
  int checkpoint_every = 5000;       // iterations; 0: only on request
  std::filesystem::path output;      // folder; empty: OpenedDataset::suggested_output
  std::filesystem::path resume;      // a checkpoint of this dataset to go on from; empty: from the start
  std::optional<splat::Box> region;  // what lies outside of it is not in the result; none: everything
  // Photos that it neither trains on nor holds out, by name; none: as the checkpoint has it.
  std::optional<std::vector<std::string>> leave_out;
  std::map<std::string, std::string> fine;  // any other option by its name: {"densify-until", "4000"}; flags: ""

  friend bool operator==(const TrainingChoices&, const TrainingChoices&) = default;
};

struct OpenPath {  // splat file or dataset; ends a training run in progress (the window has asked the user)
  std::filesystem::path path;
};
struct AddSplats {  // a splat file to those that are open or being opened, as an object; answered by an EditedScene
  std::filesystem::path path;
  bool with_opening = false;  // asked for together with these: not where edits of them wait to be restored
  std::optional<double> metres_per_unit{};  // of the scene as it is now; 0: not known; none: as it was opened
};
struct StartAlignment {  // the answer to UnalignedPhotos; ends in an OpenedDataset, as opening does
  AlignmentChoices choices;
  TrainingChoices training;  // of the run that follows, if one does
};
struct CancelOpening {};  // ends an alignment, too: what it has done is kept
struct CloseAll {};       // splats, dataset and run; a run in progress saves a checkpoint first
// On the dataset opened last; with choices.resume also on the photos of the opened splats. Where the output folder
// holds a run it answers by an OutputTaken, unless that run is resumed or to be replaced.
struct StartTraining {
  TrainingChoices choices;
  bool replace = false;
};
struct PauseTraining {};
struct ResumeTraining {};
struct StopTraining {
  bool save_checkpoint = true;
};
struct SaveCheckpoint {};
struct ExportSplats {  // the training state, else the opened splats; format by extension
  std::filesystem::path path;
  int max_sh_degree = splat::kMaxShDegree;  // higher bands are left out
  std::optional<uint32_t> object{};         // of the edited splats, alone; none: all
  std::optional<double> metres_per_unit{};  // kept with them; 0: not known; none: as it was opened
};
struct WantRunPreview {  // of the dataset, with these choices; answered by a RunPreview
  TrainingChoices choices;
};
struct WantRunPrediction {  // likewise; answered by a RunPrediction unless a run begins or another one is wanted
  TrainingChoices choices;
};
struct WantCommandLine {  // of a run with these choices; answered by AppState::command_line
  TrainingChoices choices;
};
struct WantRunHistory {  // of the dataset that is open, or of the splats' run; answered by a RunHistory
  std::vector<std::filesystem::path> recent;  // other places where runs may be
};
struct WantRecentPictures {  // of scenes that were opened lately; answered by a RecentPicture each, or none
  std::vector<std::filesystem::path> scenes;
};
struct SaveSettings {  // of the window, as the application keeps them
  std::string text;
};
struct RememberScene {  // for the next time this is opened
  std::filesystem::path path;
  SceneMemory memory;
};
struct WantPhoto {   // answered by a Photo
  int view = 0;      // of the dataset, or of the opened splats
  int max_side = 0;  // px; 0: as it is
};
struct WantComparison {  // answered by a Comparison
  int view = 0;          // of the dataset, or of the opened splats
};
struct WantPackedModel {  // of the opened splats, as they are now; answered by a PackedModel
};
struct PublishModel {  // the model of the run as it is now comes as OpenedSplats; it does so by itself at the end
};
enum class PickUse { kFocus, kMeasure, kAlign };
struct PickPoint {  // the surface under a pixel, of the run's model or the opened splats; answered by a PickedPoint
  splat::View view;
  double x = 0, y = 0;  // px
  PickUse use = PickUse::kFocus;
  std::optional<uint32_t> object{};  // of the edited splats, alone; none: all
};
struct SaveRendering {  // as PNG: exactly this view at its full size, by the engine
  RenderRequest request;
  std::filesystem::path path;
};
struct MakeMesh {  // of the run's model or the opened splats; answered by a ShownMesh, ended by CancelOpening
  MeshChoices choices;
};
// Before a MakeMesh with these choices; answered by a MeshPrediction unless it comes, another one is wanted or a run
// trains.
struct WantMeshPrediction {
  MeshChoices choices;
};
struct SaveMesh {  // the one made or opened last; format by extension
  std::filesystem::path path;
  std::optional<double> metres_per_unit{};  // for formats that count in metres; 0: not known; none: as it was opened
};
struct CloseMesh {};
struct EditScene {  // one step on the opened splats; answered by an EditedScene
  EditRequest request;
};
struct SaveBox {  // the crop box, for --region and --crop-box
  std::filesystem::path path;
  splat::Box box;
};
struct ProposeCleanup {  // of the opened splats, by the photos they come from; answered by a CleanupProposal
};
struct MeasureCleanup {  // of what is selected, after a proposal; answered by a CleanupEffect
  uint64_t scene = 0;    // EditMode::scenes, for the answer
};
struct RestoreEdits {  // of an EditsFound; opens the file unless it is open
  std::filesystem::path splats;
};
struct ForgetEdits {
  std::filesystem::path splats;
};
struct OpenCityPart {  // of a scene in blocks; answered by OpenedSplats
  std::filesystem::path city;
  int part = 0;  // a block, or one of kCity...
};
struct Quit {               // stops everything, saving a checkpoint of a run in progress; answered by a QuitDone
  bool keep_edits = false;  // those that are not saved, for the next start; else they are lost
};
struct SavePicture {  // as PNG
  std::filesystem::path path;
  splat::Image8 picture;
};

using Command = std::variant<OpenPath, AddSplats, StartAlignment, CancelOpening, CloseAll, StartTraining, PauseTraining,
                             ResumeTraining, StopTraining, SaveCheckpoint, ExportSplats, WantRunPreview,
                             WantRunPrediction, WantCommandLine, WantRunHistory, WantRecentPictures, SaveSettings,
                             RememberScene, WantPhoto, WantComparison, WantPackedModel, PublishModel, PickPoint,
                             SaveRendering, SavePicture, MakeMesh, WantMeshPrediction, SaveMesh, CloseMesh, EditScene,
                             SaveBox, ProposeCleanup, MeasureCleanup, RestoreEdits, ForgetEdits, OpenCityPart, Quit>;
using CommandQueue = Queue<Command>;

}  // namespace viewer
