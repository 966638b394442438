#include "io/foreign_file.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "io/names.h"
#include "io/text.h"
#include "splat/core/lower_case.h"

namespace io {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kNotYet = ", which hipsplat does not read yet";

// Whether `start` begins with `mark`, whatever the case of its letters.
bool begins_with(std::string_view start, std::string_view mark) {
  return start.size() >= mark.size() && std::equal(mark.begin(), mark.end(), start.begin(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
         });
}

std::string_view without_space(std::string_view start) {
  if (start.starts_with("\xef\xbb\xbf")) start.remove_prefix(3);
  const size_t first = start.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view() : start.substr(first);
}

struct Known {
  std::string_view mark;  // at the start of the bytes, or at the end of the name
  std::string_view what;
  bool splats = true;  // of which another program may make a PLY
};

constexpr std::array<Known, 24> kByContent{{
    {"b3dm"sv, "a tile of 3D Tiles (b3dm)"},
    {"i3dm"sv, "a tile of 3D Tiles (i3dm)"},
    {"cmpt"sv, "a tile of 3D Tiles (cmpt)"},
    {"pnts"sv, "a point cloud of 3D Tiles (pnts)", false},
    {"Ogawa"sv, "an Alembic scene"},
    {"PXR-USDC"sv, "a USD scene"},
    {"#usda"sv, "a USD scene"},
    {"LASF"sv, "a LAS point cloud"},
    {"ASTM-E57"sv, "an E57 point cloud"},
    {"\x93NUMPY"sv, "a NumPy array"},
    {"\x89HDF"sv, "an HDF5 file"},
    {"PAR1"sv, "a Parquet table"},
    {"SQLite format 3"sv, "an SQLite database (COLMAP's features and matches are kept in one)", false},
    {"\x89PNG"sv, "a PNG picture, no splats: open the folder of photos that it is in", false},
    {"\xff\xd8\xff"sv, "a JPEG picture, no splats: open the folder of photos that it is in", false},
    {"RIFF"sv, "a WebP picture or another RIFF file", false},
    {"%PDF"sv, "a PDF document", false},
    {"7z\xbc\xaf\x27\x1c"sv, "a 7z archive: unpack it first", false},
    {"Rar!"sv, "a RAR archive: unpack it first", false},
    {"BZh"sv, "packed by bzip2: unpack it first", false},
    {"\xfd"
     "7zXZ"sv,
     "packed by xz: unpack it first", false},
    {"\x28\xb5\x2f\xfd"sv, "packed by zstd: unpack it first", false},
    {"\x1f\x8b"sv, "packed by gzip: unpack it first", false},
    {"PK\x03\x04"sv, "a zip archive: unpack it first", false},
}};

constexpr std::array<Known, 34> kByName{{
    {"dataparser_transforms.json", "nerfstudio's note on how it moved a dataset (that is its transforms.json)", false},
    {".usdz", "a USD scene"},
    {".usdc", "a USD scene"},
    {".usda", "a USD scene"},
    {".usd", "a USD scene"},
    {".npz", "a NumPy archive"},
    {".npy", "a NumPy array"},
    {".pth", "a checkpoint of PyTorch"},
    {".pt", "a checkpoint of PyTorch"},
    {".ckpt", "a checkpoint of PyTorch (nerfstudio: ns-export gaussian-splat writes a PLY)"},
    {".splatv", "a splatv file of moving splats"},
    {".rad", "a RAD file of Spark"},
    {".lgsc", "an L-GSC file"},
    {".4dgs", "a file of moving splats (4DGS)"},
    {".psht", "a PSHT file"},
    {".b3dm", "a tile of 3D Tiles (b3dm)"},
    {".i3dm", "a tile of 3D Tiles (i3dm)"},
    {".cmpt", "a tile of 3D Tiles (cmpt)"},
    {".pnts", "a point cloud of 3D Tiles (pnts)", false},
    {".abc", "an Alembic scene"},
    {".xyz", "a point cloud as text (XYZ)", false},
    {".pts", "a point cloud as text (PTS)", false},
    {".ptx", "a point cloud as text (PTX)", false},
    {".spx", "an SPX file"},
    {".lcc", "an LCC scene"},
    {".lci", "a part of an LCC scene"},
    {".laz", "a LAZ point cloud"},
    {".pcd", "a PCD point cloud"},
    {".obj", "a mesh (OBJ), which the window shows", false},
    {".stl", "a mesh (STL)", false},
    {".fbx", "a mesh (FBX)", false},
    {".csv", "a table (CSV)"},
    {".hier", "a hierarchy of Gaussians (hierarchical 3DGS)"},
    {".tar", "a tar archive: unpack it first", false},
}};

// JSON texts, by what is in their beginning.
constexpr std::array<Known, 5> kJson{{
    {"\"geometricError\"", "is a tileset of 3D Tiles: open the .glb files that it names"},
    {"\"lodLevels\"",
     "lists levels of detail, and is no lod-meta.json of a streamed SOG: open the splat files it names"},
    {"\"lods\"", "lists levels of detail, and is no lod-meta.json of a streamed SOG: open the splat files it names"},
    {"\"animTracks\"", "holds settings of a viewer (SuperSplat): open the splat file beside it"},
    {"\"dependencies\"", "describes a package of a program, no dataset and no splats"},
}};

std::string json_text(std::string_view start) {
  for (const Known& known : kJson)
    if (start.find(known.mark) != std::string_view::npos) return std::string(known.what);
  return "is a JSON text, and neither splats nor a dataset (a transforms.json has a list 'frames')";
}

std::string said(const Known& known) {
  std::string text = "is " + std::string(known.what);
  if (!known.splats) return text + (text.find(": ") == std::string::npos ? ", no splats" : "");
  return text + std::string(kNotYet) + "; save it as PLY with the program that made it";
}

}  // namespace

splat::Status check_is_the_file(std::string_view start, const std::string& name) {
  const std::string_view text = without_space(start.substr(0, 1024));
  const auto refused = [&](const char* what) { return Error{"'" + name + "' " + what}; };
  if (text.starts_with("version https://git-lfs.github.com/spec/"))
    return refused("is a Git LFS pointer, not the file itself: run 'git lfs pull' where it was cloned, or download it");
  const bool meant = name.ends_with(".html") || name.ends_with(".htm");
  if (!meant && (begins_with(text, "<!doctype html") || begins_with(text, "<html")))
    return refused("is a web page, stored in place of the file (a login or an error, mostly): download it again");
  if (begins_with(text, "<?xml") && text.find("<Error>") != std::string_view::npos)
    return refused("is an error message of a server, stored in place of the file: download it again");
  return {};
}

std::string what_it_is(std::string_view start, const std::filesystem::path& path) {
  const std::string name = splat::lower_case(path.filename().string());
  for (const Known& known : kByName)
    if (name.ends_with(known.mark)) return said(known);
  for (const Known& known : kByContent)
    if (start.starts_with(known.mark)) return said(known);
  const std::string_view text = without_space(start);
  if (text.starts_with('{') || text.starts_with('[')) return json_text(text);
  if (begins_with(text, "<?xml")) return "is an XML text, no splats";
  return "";
}

}  // namespace io
