// PLY: what splats (in the layout of INRIA's reference implementation, Kerbl et al. 2023) and point clouds are
// exchanged in. Reading is by property name: any order, any scalar type, ASCII or binary of either endianness; unknown
// properties and elements are skipped. Stored values: log scale, logit opacity, wxyz; f_rest is channel-major,
// converted to [N,K,3] here and only here. Streams in blocks: a reader or writer holds no second copy of the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_stream.h"
#include "io/splats/common/splat_file.h"
#include "splat/core/parallel.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"
#include "splat/model/gaussians.h"

namespace io {

splat::Result<SplatFile> read_splat_ply(ByteStream& stream);  // from its start
splat::Result<SplatFile> read_splat_ply(const std::filesystem::path& path, ReadWatch* watch = nullptr);
// Splats of a file that stand for all of them (splat/model/thinned.h), for a picture before the rest is read.
struct PartOfSplats {
  SplatFile file;  // of it: format, gaussians and what comments say; nothing is checked
  std::vector<uint32_t> rows;
  size_t all = 0;
};
using CountOfPart = std::function<size_t(size_t all)>;  // 0: they are too few for a part
// The same as thinned() of all rows. None: it is ASCII, flat or in survey coordinates. Cost: a pass over the file, 16
// bytes a row for as long, and a read a row of the part.
splat::Result<std::optional<PartOfSplats>> read_part_of_splat_ply(const std::filesystem::path& path,
                                                                  const CountOfPart& count_of, splat::ThreadPool& pool);
splat::Result<splat::PointCloud> read_point_cloud_ply(const std::filesystem::path& path, ReadWatch* watch = nullptr);
// What it passes over, by name: properties but normals, other elements.
std::vector<std::string> unread_of_point_cloud_ply(const std::filesystem::path& path);
// Whether the header names what points do not have: two of opacity, scale, rotation and f_dc, or what stands for splats
// in files of relatives. Such a file is never taken for points, whatever it lacks.
bool ply_holds_splats(const std::filesystem::path& path);
bool ply_holds_points(const std::filesystem::path& path);  // the header names positions, and nothing of splats

// The same from memory; `name` is how error sentences call the data.
splat::Result<SplatFile> parse_splat_ply(std::string_view bytes, const std::string& name);
splat::Result<std::optional<PartOfSplats>> parse_part_of_splat_ply(std::string_view bytes, const std::string& name,
                                                                   const CountOfPart& count_of,
                                                                   splat::ThreadPool& pool);
splat::Result<splat::PointCloud> parse_point_cloud_ply(std::string_view bytes, const std::string& name);

// INRIA's property order with zero normals; comments stand after `element vertex` (SIBR takes the count from line 3).
splat::Result<SplatWriteReport> write_splat_ply(const std::filesystem::path& path, const splat::Gaussians& gaussians,
                                                const SplatFileInfo& info = {}, const SplatWriteOptions& options = {});
splat::Result<SplatWriteReport> write_splat_ply(const std::filesystem::path& path, const SplatRows& splats,
                                                const SplatFileInfo& info = {}, const SplatWriteOptions& options = {});
// x y z nx ny nz red green blue, as INRIA's input.ply.
splat::Status write_point_cloud_ply(const std::filesystem::path& path, const splat::PointCloud& points);

}  // namespace io
