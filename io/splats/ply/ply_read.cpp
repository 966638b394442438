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
#include "io/splats/ply/ply_layout.h"
#include "io/splats/ply/ply_rows.h"
#include "io/splats/ply/ply_splat.h"
#include "io/text.h"
#include "splat/core/memory_guard.h"
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

Status check_not_compressed(const PlyHeader& header, const std::string& name) {
  if (header.find("chunk") && header.find("vertex") && header.find("vertex")->find("packed_position") >= 0)
    return Error{"'" + name + "' is a compressed splat PLY (PlayCanvas); uncompressed properties were expected"};
  return {};
}

PlyColumn column_to(std::vector<float>& values, int property, size_t index, size_t stride) {
  return {property, values.empty() ? nullptr : values.data() + index, stride};
}

// Which property of a row goes where in the model, or in `wide` [N,3] where that is not empty. f_rest is channel-major
// in the file, coefficient-major in memory.
std::vector<PlyColumn> splat_columns(const PlySplatLayout& layout, Gaussians& model, std::vector<double>& wide) {
  const PlyElement& vertices = *layout.vertices;
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
    if (layout.colours.found())
      columns.push_back(column_to(model.sh, layout.colours.property[i], i, sh_stride));
    else
      add("f_dc_" + number, model.sh, i, sh_stride);
    for (size_t k = 1; k < size_t(model.coefficients()); ++k)
      add("f_rest_" + std::to_string(i * layout.rest.per_channel + k - 1), model.sh, k * 3 + i, sh_stride);
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
SplatFile file_of(const PlyHeader& header, const PlySplatLayout& layout) {
  SplatFile file;
  file.kind = SplatFormat::kPly;
  file.format = encoding_name(header.encoding);
  file.stored_sh_degree = layout.rest.degree;
  file.low_pass = layout.low_pass;
  file.gaussians.sh_degree = std::min(layout.rest.degree, splat::kMaxShDegree);
  return file;
}

// The rows, with what a layout says beside the usual one carried out.
Status read_rows_of(PlyRows& rows, const PlySplatLayout& layout, Gaussians& model, std::vector<double>& wide) {
  std::vector<PlyColumn> columns = splat_columns(layout, model, wide);
  std::vector<float> filter(layout.filter >= 0 ? model.size() : 0);
  if (layout.filter >= 0) columns.push_back(column_to(filter, layout.filter, 0, 1));
  SPLAT_TRY(rows.read(*layout.vertices, columns));
  if (layout.flat)
    for (size_t row = 0; row < model.size(); ++row) model.log_scales[3 * row + 2] = kFlatLogScale;
  if (layout.colours.found()) to_coefficients(layout.colours, model);
  if (layout.filter >= 0) fold_in_filter(filter, model);
  return {};
}

Result<SplatFile> read_splats(ByteStream& stream) {
  SPLAT_ASSIGN_OR_RETURN(PlyHeader header, read_header(stream));
  const std::string& name = stream.name();
  SPLAT_TRY(check_not_compressed(header, name));
  SPLAT_ASSIGN_OR_RETURN(const PlySplatLayout layout, splat_layout(header, name));
  const PlyElement* vertices = layout.vertices;
  PlyRows rows(stream, header);
  SPLAT_TRY(rows.seek(*vertices));

  SplatFile file = file_of(header, layout);
  Gaussians& model = file.gaussians;
  splat::MemoryGuard::ask_for_model(size_t(vertices->count), model.sh_degree);
  model.resize(size_t(vertices->count));
  std::vector<double> wide(positions_are_wide(*vertices) ? model.means.size() : 0);
  SPLAT_TRY(read_rows_of(rows, layout, model, wide));
  SPLAT_ASSIGN_OR_RETURN(const std::string end_warning, rows.check_end(*vertices));

  if (!layout.odd_rest.empty()) {
    if (!end_warning.empty()) return Error{layout.odd_rest};  // the rows are not what the header says
    file.warnings.push_back(layout.odd_rest + ": the view-dependent colours are left out, the rest is read");
  }
  file.flat = layout.flat;
  if (layout.flat)
    file.warnings.push_back("the splats are flat (2D Gaussians without scale_2): their third axis is taken as 1e-6");
  file.warnings.insert(file.warnings.end(), layout.warnings.begin(), layout.warnings.end());
  file.unread = unread_parts(header, layout);
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
  SPLAT_ASSIGN_OR_RETURN(PlyHeader header, read_header(stream));
  const std::string name = stream.name();
  SPLAT_TRY(check_not_compressed(header, name));
  SPLAT_ASSIGN_OR_RETURN(const PlySplatLayout layout, splat_layout(header, name));
  const PlyElement* vertices = layout.vertices;
  const size_t all = size_t(vertices->count), count = count_of(all);
  if (header.encoding == PlyEncoding::kAscii || positions_are_wide(*vertices) || !layout.as_stored() || count == 0 ||
      count >= all)
    return Nothing();
  PlyRows rows(stream, header);
  SPLAT_TRY(rows.seek(*vertices));

  std::vector<double> none;
  PartOfSplats part{file_of(header, layout), {}, all};
  splat::ThinnedRows chosen;
  {
    Gaussians weighed;
    weighed.log_scales.resize(3 * all), weighed.logit_opacities.resize(all);
    std::vector<PlyColumn> columns = splat_columns(layout, weighed, none);
    std::erase_if(columns, [](const PlyColumn& column) { return column.destination == nullptr; });
    SPLAT_TRY(rows.look_over(*vertices, columns));
    chosen = splat::thinned_rows(weighed, count, pool);
  }
  Gaussians& model = part.file.gaussians;
  model.resize(chosen.rows.size());
  SPLAT_TRY(rows.read_chosen(*vertices, splat_columns(layout, model, none), chosen.rows));
  splat::grow(model, chosen.grown);
  part.rows = std::move(chosen.rows);
  read_ply_comments(header.comments, part.file);
  return Nothing(std::move(part));
}

// Takes out the points whose position float arithmetic does not survive, and counts them.
void keep_usable(PointCloud& points) {
  const auto usable = [](float value) { return std::abs(value) <= kMaxCoordinate; };  // NaN is not
  size_t kept = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    if (!std::all_of(&points.xyz[3 * i], &points.xyz[3 * i] + 3, usable)) continue;
    std::copy_n(&points.xyz[3 * i], 3, &points.xyz[3 * kept]);
    std::copy_n(&points.rgb[3 * i], 3, &points.rgb[3 * kept]);
    ++kept;
  }
  points.left_out = points.size() - kept;
  points.xyz.resize(3 * kept);
  points.rgb.resize(3 * kept);
}

Result<PointCloud> read_points(ByteStream& stream) {
  SPLAT_ASSIGN_OR_RETURN(const PlyHeader header, read_header(stream));
  const std::string& name = stream.name();
  SPLAT_TRY(check_not_compressed(header, name));
  const PlyElement* vertices = header.find("vertex");
  if (!vertices) return Error{"'" + name + "' has no element 'vertex': it holds neither splats nor points"};
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
  std::vector<double> wide(positions_are_wide(*vertices) ? count * 3 : 0);
  std::vector<PlyColumn> columns;
  for (size_t i = 0; i < 3; ++i) {
    columns.push_back(column_to(points.xyz, vertices->find(std::string(1, char('x' + i))), i, 3));
    if (!wide.empty()) columns.back().wide = wide.data() + i;
    if (colours.found()) columns.push_back(column_to(rgb, colours.property[i], i, 3));
  }
  SPLAT_TRY(rows.read(*vertices, columns));
  SPLAT_ASSIGN_OR_RETURN(const std::string ignored, rows.check_end(*vertices));

  if (!wide.empty()) points.origin = local_origin_of(wide);
  for (size_t i = 0; i < wide.size(); ++i) points.xyz[i] = float(wide[i] - points.origin[i % 3]);
  constexpr uint8_t kGrey = 128;
  points.rgb.assign(count * 3, kGrey);
  const float scale = colours.scale_of(rgb);
  for (size_t i = 0; i < rgb.size(); ++i)  // fmax turns NaN into 0
    points.rgb[i] = uint8_t(std::lround(std::fmin(std::fmax(rgb[i] * scale, 0.0f), 255.0f)));
  keep_usable(points);
  if (count > 0 && points.size() == 0)
    return Error{"'" + name + "': no point of " + std::to_string(count) +
                 " has a position that is finite and not absurdly large"};
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

bool ply_holds_splats(const fs::path& path) {
  auto stream = ByteStream::open(path);
  if (!stream) return false;
  auto header = read_header(*stream);
  return header && has_splat_properties(std::move(*header));
}

bool ply_holds_points(const fs::path& path) {
  auto stream = ByteStream::open(path);
  if (!stream) return false;
  auto header = read_header(*stream);
  const PlyElement* const vertices = header ? header->find("vertex") : nullptr;
  return vertices && vertices->find("x") >= 0 && vertices->find("y") >= 0 && vertices->find("z") >= 0 &&
         !has_splat_properties(std::move(*header));
}

std::vector<std::string> unread_of_point_cloud_ply(const fs::path& path) {
  auto stream = ByteStream::open(path);
  const auto header = stream ? read_header(*stream) : Result<PlyHeader>(stream.error());
  const PlyElement* const vertices = header ? header->find("vertex") : nullptr;
  return vertices ? unread_beside_points(*header, *vertices) : std::vector<std::string>();
}

Result<PointCloud> parse_point_cloud_ply(std::string_view bytes, const std::string& name) {
  ByteStream stream(bytes, name);
  return read_points(stream);
}

}  // namespace io
