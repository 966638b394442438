#include <algorithm>
#include <array>
#include <cmath>

#include "io/names.h"
#include "io/reconstruction/origin.h"
#include "io/reconstruction/reconstruction.h"
#include "io/splats/common/checks.h"
#include "io/splats/ply/generated_object.h"
#include "io/splats/ply/ply.h"
#include "io/splats/ply/ply_header.h"
#include "io/splats/ply/ply_rows.h"
#include "io/splats/ply/ply_splat.h"
#include "io/text.h"
#include "splat/model/thinned.h"

namespace io {

namespace fs = std::filesystem;
using splat::PointCloud;

namespace {

const char* encoding_name(PlyEncoding encoding) {
  switch (encoding) {
    case PlyEncoding::kAscii:
      return "PLY (ASCII)";
    case PlyEncoding::kLittleEndian:
      return "PLY (binary, little-endian)";
    case PlyEncoding::kBigEndian:
      return "PLY (binary, big-endian)";
  }
  return "PLY";
}

Result<PlyHeader> read_header(ByteStream& stream) {
  SPLAT_ASSIGN_OR_RETURN(const std::string_view start, stream.peek(kMaxPlyHeaderBytes));
  return parse_ply_header(start, stream.name());
}

Result<const PlyElement*> find_vertices(const PlyHeader& header, const std::string& name) {
  if (header.find("chunk") && header.find("vertex") && header.find("vertex")->find("packed_position") >= 0)
    return Error{"'" + name + "' is a compressed splat PLY (PlayCanvas); uncompressed properties were expected"};
  const PlyElement* vertices = header.find("vertex");
  if (!vertices) return Error{"'" + name + "' has no element 'vertex': it holds neither splats nor points"};
  return vertices;
}

Status check_is_splat(const PlyElement& vertices, const std::string& name) {
  std::string missing;
  int present = 0;
  for (const char* property : {"x", "y", "z", "f_dc_0", "f_dc_1", "f_dc_2", "opacity", "scale_0", "scale_1", "rot_0",
                               "rot_1", "rot_2", "rot_3"}) {
    if (vertices.find(property) >= 0)
      present += property[1] != '\0';  // x, y, z alone do not make splats
    else
      missing += (missing.empty() ? "" : ", ") + std::string(property);
  }
  if (missing.empty()) return {};
  if (present == 0)
    return Error{
        "'" + name +
        "' is not a splat file: it holds a point cloud or mesh (no opacity, scale_0, rot_0, f_dc_0), from which "
        "splats have yet to be trained"};
  return Error{"'" + name + "' is not a usable splat file: it lacks the properties " + missing};
}

PlyColumn column_to(std::vector<float>& values, int property, size_t index, size_t stride) {
  return {property, values.empty() ? nullptr : values.data() + index, stride};
}

// Which property of a row goes where in the model, or in `wide` [N,3] where that is not empty. f_rest is channel-major
// in the file, coefficient-major in memory.
std::vector<PlyColumn> splat_columns(const PlyElement& vertices, const RestProperties& rest, Gaussians& model,
                                     std::vector<double>& wide) {
  std::vector<PlyColumn> columns;
  const auto add = [&](const std::string& property, std::vector<float>& values, size_t index, size_t stride) {
    const int found = vertices.find(property);
    if (found >= 0) columns.push_back(column_to(values, found, index, stride));
  };
  const size_t sh_stride = size_t(model.coefficients()) * 3;
  for (size_t i = 0; i < 3; ++i) {
    const std::string number = std::to_string(i);
    add(std::string(1, char('x' + i)), model.means, i, 3);
    if (!wide.empty()) columns.back().wide = wide.data() + i;
    add("scale_" + number, model.log_scales, i, 3);
    add("f_dc_" + number, model.sh, i, sh_stride);
    for (size_t k = 1; k < size_t(model.coefficients()); ++k)
      add("f_rest_" + std::to_string(i * rest.per_channel + k - 1), model.sh, k * 3 + i, sh_stride);
  }
  for (size_t i = 0; i < 4; ++i) add("rot_" + std::to_string(i), model.quats, i, 4);
  add("opacity", model.logit_opacities, 0, 1);
  std::sort(columns.begin(), columns.end(),
            [](const PlyColumn& a, const PlyColumn& b) { return a.property < b.property; });
  return columns;
}

bool positions_are_wide(const PlyElement& vertices) {
  for (const char* name : {"x", "y", "z"})
    if (vertices.properties[size_t(vertices.find(name))].type != PlyScalar::kFloat64) return false;
  return true;
}

// Survey coordinates become positions counted from where the file says, else from a place among them where they lie far
// away, before any of them becomes a float.
void place(const std::vector<double>& positions, const std::vector<std::string>& comments, SplatFile& file) {
  const std::array<double, 3> zero{};
  std::array<double, 3> origin = zero;
  if (file.frame.origin == zero)
    origin = file.frame.origin = local_origin_in(comments).value_or(local_origin_of(positions));
  for (size_t i = 0; i < positions.size(); ++i) file.gaussians.means[i] = float(positions[i] - origin[i % 3]);
}

// What a splat file is before its rows.
SplatFile file_of(const PlyHeader& header, const RestProperties& rest) {
  SplatFile file;
  file.kind = SplatFormat::kPly;
  file.format = encoding_name(header.encoding);
  file.stored_sh_degree = rest.degree;
  file.gaussians.sh_degree = std::min(rest.degree, splat::kMaxShDegree);
  return file;
}

Result<SplatFile> read_splats(ByteStream& stream) {
  SPLAT_ASSIGN_OR_RETURN(const PlyHeader header, read_header(stream));
  const std::string& name = stream.name();
  SPLAT_ASSIGN_OR_RETURN(const PlyElement* vertices, find_vertices(header, name));
  SPLAT_TRY(check_is_splat(*vertices, name));
  SPLAT_ASSIGN_OR_RETURN(const RestProperties rest, find_rest(*vertices, name));
  PlyRows rows(stream, header);
  SPLAT_TRY(rows.seek(*vertices));

  SplatFile file = file_of(header, rest);
  Gaussians& model = file.gaussians;
  model.resize(size_t(vertices->count));
  std::vector<double> wide(positions_are_wide(*vertices) ? model.means.size() : 0);
  SPLAT_TRY(rows.read(*vertices, splat_columns(*vertices, rest, model, wide)));
  SPLAT_ASSIGN_OR_RETURN(const std::string end_warning, rows.check_end(*vertices));

  if (vertices->find("scale_2") < 0) {
    for (size_t row = 0; row < model.size(); ++row) model.log_scales[3 * row + 2] = kFlatLogScale;
    file.flat = true;
    file.warnings.push_back("the splats are flat (2D Gaussians without scale_2): their third axis is taken as 1e-6");
  }
  note_reduced_degree(file);
  if (!end_warning.empty()) file.warnings.push_back(end_warning);
  read_ply_comments(header.comments, file);
  if (!wide.empty()) place(wide, header.comments, file);
  recognise_generated_object(header, file);
  check_splats(file, true);
  return file;
}

// Opacities and scales alone decide which rows stand for all: they are read first, then those rows.
Result<std::optional<PartOfSplats>> read_part(ByteStream& stream, const CountOfPart& count_of,
                                              splat::ThreadPool& pool) {
  using Nothing = std::optional<PartOfSplats>;
  SPLAT_ASSIGN_OR_RETURN(const PlyHeader header, read_header(stream));
  const std::string name = stream.name();
  SPLAT_ASSIGN_OR_RETURN(const PlyElement* vertices, find_vertices(header, name));
  SPLAT_TRY(check_is_splat(*vertices, name));
  SPLAT_ASSIGN_OR_RETURN(const RestProperties rest, find_rest(*vertices, name));
  const size_t all = size_t(vertices->count), count = count_of(all);
  if (header.encoding == PlyEncoding::kAscii || positions_are_wide(*vertices) || vertices->find("scale_2") < 0 ||
      count == 0 || count >= all)
    return Nothing();
  PlyRows rows(stream, header);
  SPLAT_TRY(rows.seek(*vertices));

  std::vector<double> none;
  PartOfSplats part{file_of(header, rest), {}, all};
  splat::ThinnedRows chosen;
  {
    Gaussians weighed;
    weighed.log_scales.resize(3 * all), weighed.logit_opacities.resize(all);
    std::vector<PlyColumn> columns = splat_columns(*vertices, rest, weighed, none);
    std::erase_if(columns, [](const PlyColumn& column) { return column.destination == nullptr; });
    SPLAT_TRY(rows.look_over(*vertices, columns));
    chosen = splat::thinned_rows(weighed, count, pool);
  }
  Gaussians& model = part.file.gaussians;
  model.resize(chosen.rows.size());
  SPLAT_TRY(rows.read_chosen(*vertices, splat_columns(*vertices, rest, model, none), chosen.rows));
  splat::grow(model, chosen.grown);
  part.rows = std::move(chosen.rows);
  read_ply_comments(header.comments, part.file);
  return Nothing(std::move(part));
}

// Colours of a point cloud: red green blue (or r g b, diffuse_*), as 0..255 for whole numbers, 0..1 for floats.
struct ColourProperties {
  std::array<int, 3> property{-1, -1, -1};
  float scale = 1;
  bool found() const { return property[0] >= 0 && property[1] >= 0 && property[2] >= 0; }
};
ColourProperties find_colours(const PlyElement& vertices) {
  constexpr std::array<std::array<const char*, 3>, 3> kNames{
      {{"red", "green", "blue"}, {"diffuse_red", "diffuse_green", "diffuse_blue"}, {"r", "g", "b"}}};
  for (const auto& names : kNames) {
    ColourProperties colours;
    for (size_t i = 0; i < 3; ++i) colours.property[i] = vertices.find(names[i]);
    if (!colours.found()) continue;
    const PlyScalar type = vertices.properties[size_t(colours.property[0])].type;
    if (type == PlyScalar::kFloat32 || type == PlyScalar::kFloat64) colours.scale = 255;
    if (type == PlyScalar::kUint16 || type == PlyScalar::kInt16) colours.scale = 255.0f / 65535.0f;
    return colours;
  }
  return {};
}

Result<PointCloud> read_points(ByteStream& stream) {
  SPLAT_ASSIGN_OR_RETURN(const PlyHeader header, read_header(stream));
  const std::string& name = stream.name();
  SPLAT_ASSIGN_OR_RETURN(const PlyElement* vertices, find_vertices(header, name));
  for (const char* property : {"x", "y", "z"})
    if (vertices->find(property) < 0)
      return Error{"'" + name + "' is not a point cloud: it lacks the property '" + property + "'"};
  PlyRows rows(stream, header);
  SPLAT_TRY(rows.seek(*vertices));

  const size_t count = size_t(vertices->count);
  const ColourProperties colours = find_colours(*vertices);
  PointCloud points;
  points.xyz.resize(count * 3);
  std::vector<float> rgb(colours.found() ? count * 3 : 0);
  std::vector<PlyColumn> columns;
  for (size_t i = 0; i < 3; ++i) {
    columns.push_back(column_to(points.xyz, vertices->find(std::string(1, char('x' + i))), i, 3));
    if (colours.found()) columns.push_back(column_to(rgb, colours.property[i], i, 3));
  }
  SPLAT_TRY(rows.read(*vertices, columns));
  SPLAT_ASSIGN_OR_RETURN(const std::string ignored, rows.check_end(*vertices));

  constexpr uint8_t kGrey = 128;
  points.rgb.assign(count * 3, kGrey);
  for (size_t i = 0; i < rgb.size(); ++i)  // fmax turns NaN into 0
    points.rgb[i] = uint8_t(std::lround(std::fmin(std::fmax(rgb[i] * colours.scale, 0.0f), 255.0f)));
  for (size_t i = 0; i < points.xyz.size(); ++i)
    if (!(std::abs(points.xyz[i]) <= kMaxCoordinate))
      return Error{"'" + name + "': point " + std::to_string(i / 3) + " of " + std::to_string(count) +
                   " has a position that is not finite or absurdly large"};
  return points;
}

}  // namespace

Result<SplatFile> read_splat_ply(ByteStream& stream) { return read_splats(stream); }

Result<SplatFile> read_splat_ply(const fs::path& path, ReadWatch* watch) {
  SPLAT_ASSIGN_OR_RETURN(ByteStream stream, ByteStream::open(path, watch));
  return read_splats(stream);
}

Result<std::optional<PartOfSplats>> read_part_of_splat_ply(const fs::path& path, const CountOfPart& count_of,
                                                           splat::ThreadPool& pool) {
  SPLAT_ASSIGN_OR_RETURN(ByteStream stream, ByteStream::open(path));
  return read_part(stream, count_of, pool);
}

Result<PointCloud> read_point_cloud_ply(const fs::path& path, ReadWatch* watch) {
  SPLAT_ASSIGN_OR_RETURN(ByteStream stream, ByteStream::open(path, watch));
  return read_points(stream);
}

Result<SplatFile> parse_splat_ply(std::string_view bytes, const std::string& name) {
  ByteStream stream(bytes, name);
  return read_splats(stream);
}

Result<std::optional<PartOfSplats>> parse_part_of_splat_ply(std::string_view bytes, const std::string& name,
                                                            const CountOfPart& count_of, splat::ThreadPool& pool) {
  ByteStream stream(bytes, name);
  return read_part(stream, count_of, pool);
}

Result<PointCloud> parse_point_cloud_ply(std::string_view bytes, const std::string& name) {
  ByteStream stream(bytes, name);
  return read_points(stream);
}

}  // namespace io
