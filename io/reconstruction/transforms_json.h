// transforms.json of nerfstudio, instant-ngp and Blender's synthetic scenes (transforms_train/_test/_val.json).
// Camera-to-world matrices in OpenGL axes (x right, y up, z back) become cam_from_world (x right, y down, z forward);
// the world itself is untouched. Intrinsics may be given once or per frame; a frame's own win, in whatever form they
// are: fl_x, camera_angle_x, x_fov, a matrix K. A frame that cannot be used is left out (left_out.h), keys that nobody
// reads are named in a note. `ply_file_path` lies in the same world (nerfstudio applies `applied_transform` to poses
// and points alike), so it is read as it is. A photo without an extension is looked for as .png .jpg .jpeg .webp; width
// and height may be missing: see ReconstructionImage::pending. Test frames of a Blender scene, and those of
// `test_filenames` (else `val_filenames`) and `test_frames` (ScanNet++), have held_out set; frames in no list,
// `train_filenames` among them, and those that are `is_bad`, left_out, as in nerfstudio.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "io/reconstruction/reconstruction.h"
#include "splat/core/result.h"

namespace io {

// transforms.json, else transforms_train.json in `root`; `root` itself when it is such a file. Nothing found: nullopt.
std::optional<std::filesystem::path> find_transforms_json(const std::filesystem::path& root);

// The same, else that of nerfstudio/ in `root`, as ScanNet++ has it beside the photos.
std::optional<std::filesystem::path> find_transforms_json_of(const std::filesystem::path& root);

// Where the photos of such a file lie: its folder, but of ScanNet++'s nerfstudio/ the one above.
std::filesystem::path root_of_transforms(const std::filesystem::path& file);

// `file` as found above; transforms_train.json brings its transforms_test.json (else _val) along.
splat::Result<Reconstruction> read_transforms_json(const std::filesystem::path& file);

// Beside a COLMAP model: gives its images, by name, the masks, depth maps, split and fisheye radius that `file` has for
// them, with a note. Cameras, poses and points stay the model's.
void add_what_only_transforms_say(const std::filesystem::path& file, Reconstruction& model);

// Where the photo of a frame of `file` is: as written, with an extension added, or moved along with the .json file.
void resolve_photo(ReconstructionImage& image, const std::filesystem::path& file);

// One file's text, without touching the disk: photo and mask paths are left as written and joined to `folder`;
// `ply_file_path`, where the text has one, comes back in `ply_file`.
struct TransformsText {
  Reconstruction reconstruction;
  std::optional<std::filesystem::path> ply_file;
};
splat::Result<TransformsText> parse_transforms_json(std::string_view text, const std::string& name,
                                                    const std::filesystem::path& folder);

}  // namespace io
