#include "io/reconstruction/other_programs.h"

#include <fstream>

#include "io/files_below.h"

namespace io {

namespace fs = std::filesystem;

namespace {

struct Program {
  const char* name;
  const char* end;  // of the file's name, in any case of letters
  std::vector<const char*>
      marks{};  // all of them are in its beginning, in any case of letters; none: the name is enough
  const char* way_in;
};

const std::vector<Program>& programs() {
  constexpr const char* kNerfstudio = "turn them into a transforms.json with nerfstudio's ns-process-data";
  static const std::vector<Program> kPrograms{
      {"OpenSfM or OpenDroneMap",
       "reconstruction.json",
       {"\"shots\""},
       "export a COLMAP model (opensfm export_colmap)"},
      {"RealityCapture", ".csv", {"#name,x,y,"}, "export a COLMAP model from RealityCapture"},
      {"RealityCapture", ".xmp", {"xcr:"}, "export a COLMAP model from RealityCapture"},
      {"RealityCapture", ".rcproj", {}, "export a COLMAP model from RealityCapture"},
      {"Metashape", ".xml", {"<document", "<chunk"}, "export a COLMAP model from Metashape (File, Export, Cameras)"},
      {"Metashape", ".psx", {"<document"}, "export a COLMAP model from Metashape (File, Export, Cameras)"},
      {"ContextCapture", ".xml", {"<blocksexchange"}, "export a COLMAP model"},
      {"Polycam", "keyframes/corrected_cameras/*.json", {"\"t_00\""}, kNerfstudio},
      {"Polycam", "keyframes/cameras/*.json", {"\"t_00\""}, kNerfstudio},
      {"Bundler", ".out", {"# bundle file"}, "import them into COLMAP and export a model"},
      {"VisualSFM", ".nvm", {"nvm_v3"}, "import them into COLMAP and export a model"},
      {"LLFF", "poses_bounds.npy", {"numpy"}, "use the COLMAP model that they were made from, or a transforms.json"},
      {"Meshroom (AliceVision)", ".sfm", {"\"poses\""}, "export a COLMAP model (Meshroom's node ExportColmap)"},
      {"OpenMVG", "sfm_data.json", {"\"extrinsics\""}, "export a COLMAP model (openMVG_main_openMVG2Colmap)"},
      {"MVSNet", "_cam.txt", {"extrinsic", "intrinsic"}, "use the COLMAP model that they were made from"},
      {"DTU or NeuS", "cameras_sphere.npz", {"pk"}, "turn them into a transforms.json"},
      {"Record3D", "metadata.json", {"\"poses\"", "\"k\""}, kNerfstudio},
  };
  return kPrograms;
}

std::string beginning_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes(size_t(1) << 16, '\0');
  file.read(bytes.data(), std::streamsize(bytes.size()));
  bytes.resize(size_t(file.gcount()));
  return lower(bytes);
}

// `end` may hold one star, for any name: "cameras/*.json".
bool ends_with(std::string_view name, std::string_view end) {
  const size_t star = end.find('*');
  if (star == std::string_view::npos) return name.ends_with(end);
  const size_t folder = name.size() - last_part(name).size();
  return name.ends_with(end.substr(star + 1)) &&
         ("/" + std::string(name.substr(0, folder))).ends_with(end.substr(0, star));
}

bool is_of(const Program& program, const fs::path& path) {
  if (program.marks.empty()) return true;
  const std::string text = beginning_of(path);
  for (const char* mark : program.marks)
    if (text.find(mark) == std::string::npos) return false;
  return true;
}

}  // namespace

std::string cameras_of_other_programs(const fs::path& folder, const std::vector<std::string>& files) {
  for (const Program& program : programs())
    for (const std::string& name : files) {
      if (!ends_with(lower(name), program.end) || !is_of(program, folder / name)) continue;
      return "'" + (folder / name).string() + "' holds cameras of " + program.name +
             ", which hipsplat does not read: " + program.way_in + ", or have them found anew by 'hipsplat --align'";
    }
  return {};
}

}  // namespace io
