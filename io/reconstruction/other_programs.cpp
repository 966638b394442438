#include "io/reconstruction/other_programs.h"

#include <algorithm>
#include <fstream>

#include "io/bytes.h"
#include "io/files_below.h"
#include "io/text.h"

namespace io {

namespace fs = std::filesystem;

namespace {

// Without marks and numbers the name is enough.
struct Program {
  const char* name;
  const char* end;                   // of the file's name, in any case of letters
  std::vector<const char*> marks{};  // all of them are in the file, in any case of letters
  std::vector<size_t> numbers{};     // per line, of its first lines, which hold nothing else
  const char* way_in;
};

constexpr const char* kNerfstudio = "turn them into a transforms.json with nerfstudio's ns-process-data";
constexpr const char* kByHand =
    "write them as a transforms.json (a camera-to-world matrix a photo, x to the right, y up, z back)";
constexpr const char* kPix4d = "export a COLMAP model from PIX4D";

const std::vector<Program>& programs_for_photos() {
  static const std::vector<Program> kPrograms{
      {"OpenSfM or OpenDroneMap",
       "reconstruction.json",
       {"\"shots\""},
       {},
       "export a COLMAP model (opensfm export_colmap)"},
      {"RealityCapture", ".csv", {"#name,x,y,"}, {}, "export a COLMAP model from RealityCapture"},
      {"RealityCapture", ".xmp", {"xcr:"}, {}, "export a COLMAP model from RealityCapture"},
      {"RealityCapture", ".rcproj", {}, {}, "export a COLMAP model from RealityCapture"},
      {"Metashape",
       ".xml",
       {"<document", "<chunk"},
       {},
       "export a COLMAP model from Metashape (File, Export, Cameras)"},
      {"Metashape", ".psx", {"<document"}, {}, "export a COLMAP model from Metashape (File, Export, Cameras)"},
      {"Metashape", ".psz", {}, {}, "export a COLMAP model from Metashape (File, Export, Cameras)"},
      {"ContextCapture", ".xml", {"<blocksexchange"}, {}, "export a COLMAP model"},
      {"Polycam", "keyframes/corrected_cameras/*.json", {"\"t_00\""}, {}, kNerfstudio},
      {"Polycam", "keyframes/cameras/*.json", {"\"t_00\""}, {}, kNerfstudio},
      {"Bundler", ".out", {"# bundle file"}, {}, "import them into COLMAP and export a model"},
      {"VisualSFM", ".nvm", {"nvm_v3"}, {}, "import them into COLMAP and export a model"},
      {"LLFF",
       "poses_bounds.npy",
       {"numpy"},
       {},
       "use the COLMAP model that they were made from, or a transforms.json"},
      {"Meshroom (AliceVision)", ".sfm", {"\"poses\""}, {}, "export a COLMAP model (Meshroom's node ExportColmap)"},
      {"OpenMVG", "sfm_data.json", {"\"extrinsics\""}, {}, "export a COLMAP model (openMVG_main_openMVG2Colmap)"},
      {"MVSNet", "_cam.txt", {"extrinsic", "intrinsic"}, {}, "use the COLMAP model that they were made from"},
      {"Record3D", "metadata.json", {"\"poses\"", "\"k\""}, {}, kNerfstudio},
      {"Record3D",
       ".r3d",
       {"metadata"},
       {},
       "unpack it, and turn them into a transforms.json with nerfstudio's ns-process-data"},
      {"PIX4D", ".opf", {}, {}, kPix4d},
      {"PIX4D", "calibrated_cameras.json", {"application/opf"}, {}, kPix4d},
      {"PIX4D", "calibrated_external_camera_parameters.txt", {}, {}, kPix4d},
      {"Kapture", "trajectories.txt", {"kapture format"}, {}, "export a COLMAP model (kapture_export_colmap.py)"},
      {"INRIA's code", "cameras.json", {"\"img_name\"", "\"rotation\""}, {}, "use the dataset that was trained from"},
  };
  return kPrograms;
}

// Public datasets, and what tracks a camera as it moves.
const std::vector<Program>& trackers() {
  static const std::vector<Program> kTrackers{
      {"TUM's or a SLAM program's format", "groundtruth.txt", {}, {8}, kByHand},
      {"TUM's or a SLAM program's format", "*trajectory*.txt", {}, {8}, kByHand},
      {"TUM's or a SLAM program's format", "*poses*.txt", {}, {8, 8}, kByHand},
      {"DTU or NeuS", "cameras_sphere.npz", {"pk"}, {}, "turn them into a transforms.json"},
      {"DTU or NeuS", "cameras.npz", {"world_mat"}, {}, kByHand},
      {"EuRoC", "data.csv", {"p_rs_r_x"}, {}, kByHand},
      {"Replica or NICE-SLAM", "traj*.txt", {}, {16, 16}, kByHand},
      {"KITTI or a SLAM program", "*poses*.txt", {}, {12, 12}, kByHand},
      {"ScanNet or NSVF", "pose/*.txt", {}, {4, 4, 4, 4}, kByHand},
      {"ScanNet or NSVF", "poses/*.txt", {}, {4, 4, 4, 4}, kByHand},
      {"7-Scenes", ".pose.txt", {}, {4, 4, 4, 4}, kByHand},
      {"Tanks and Temples", ".log", {}, {3, 4, 4, 4, 4}, "use its COLMAP model"},
      {"3D Scanner App", "frame_*.json", {"\"cameraposearframe\""}, {}, kNerfstudio},
      {"Stray Scanner", "odometry.csv", {"timestamp, frame", "qw"}, {}, kByHand},
      {"SDFStudio", "meta_data.json", {"\"camtoworld\""}, {}, kByHand},
      {"Nerfies", "camera/*.json", {"\"orientation\"", "\"focal_length\""}, {}, kByHand},
  };
  return kTrackers;
}

// One star a part stands for anything: "cameras/*.json", "traj*.txt"; "*poses*.txt" for two.
bool fits(std::string_view text, std::string_view pattern) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return text == pattern;
  if (text.substr(0, star) != pattern.substr(0, star)) return false;
  for (size_t at = star; at <= text.size(); ++at)
    if (fits(text.substr(at), pattern.substr(star + 1))) return true;
  return false;
}

bool ends_with(std::string_view name, std::string_view end) {
  if (end.find('*') == std::string_view::npos) return name.ends_with(end);
  if (!fits(last_part(name), last_part(end))) return false;
  const std::string folder = "/" + std::string(name.substr(0, name.size() - last_part(name).size()));
  return folder.ends_with(end.substr(0, end.size() - last_part(end).size()));
}

// Whether the first lines that are no comments hold `counts` numbers, one count a line, and nothing else.
bool has_numbers(const fs::path& path, const std::vector<size_t>& counts) {
  std::ifstream file(path, std::ios::binary);
  std::string text(size_t(1) << 14, '\0');
  file.read(text.data(), std::streamsize(text.size()));
  text.resize(size_t(file.gcount()));
  LineReader lines(text, {});
  for (size_t line = 0; line < counts.size();) {
    if (!lines.next()) return false;
    const std::string_view row = trimmed(lines.line());
    if (row.empty() || row.front() == '#') continue;
    Fields fields(row);
    size_t count = 0;
    double value = 0;
    for (std::string_view field = fields.next(); !field.empty(); field = fields.next(), ++count)
      if (!parse_number(field, value)) return false;
    if (count != counts[line++]) return false;
  }
  return true;
}

bool is_of(const Program& program, const fs::path& path) {
  if (!check_regular(path)) return false;
  if (!program.numbers.empty()) return has_numbers(path, program.numbers);
  return file_mentions(path, program.marks);
}

}  // namespace

bool file_mentions(const fs::path& path, const std::vector<const char*>& marks, size_t most) {
  constexpr size_t kBlock = size_t(1) << 18, kLongestMark = 64;  // bytes
  std::vector<const char*> missing = marks;
  std::ifstream file(path, std::ios::binary);
  std::string block, end_of_last;
  for (size_t read = 0; !missing.empty() && file && read < most; read += kBlock) {
    block.resize(kBlock);
    file.read(block.data(), std::streamsize(kBlock));
    block.resize(size_t(file.gcount()));
    const std::string text = end_of_last + lower(block);
    std::erase_if(missing, [&](const char* mark) { return text.find(mark) != std::string::npos; });
    end_of_last = text.substr(text.size() - std::min(text.size(), kLongestMark));
  }
  return missing.empty();
}

std::string cameras_of_other_programs(const fs::path& folder, const std::vector<std::string>& files) {
  for (const auto* table : {&programs_for_photos(), &trackers()})
    for (const Program& program : *table)
      for (const std::string& name : files) {
        if (!ends_with(lower(name), program.end) || !is_of(program, folder / name)) continue;
        return "'" + (folder / name).string() + "' holds cameras of " + program.name +
               ", which hipsplat does not read: " + program.way_in + ", or have them found anew by 'hipsplat align'";
      }
  return {};
}

}  // namespace io
