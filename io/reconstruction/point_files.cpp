#include "io/reconstruction/point_files.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "io/bytes.h"
#include "io/files_below.h"
#include "io/names.h"
#include "io/reconstruction/origin.h"
#include "io/reconstruction/reconstruction.h"
#include "io/splats/ply/ply.h"
#include "io/text.h"

namespace io {

namespace fs = std::filesystem;
using splat::PointCloud;

namespace {

constexpr size_t kMostColumns = 16;
constexpr uint8_t kGrey = 128;

// The columns of a text, all of one length.
struct Columns {
  size_t count = 0;            // of a line
  std::vector<double> values;  // [N,count]
  size_t rows() const { return count > 0 ? values.size() / count : 0; }
  double at(size_t row, size_t column) const { return values[row * count + column]; }
};

using Places = std::array<size_t, 3>;  // columns

// What a header line says: "//X Y Z R G B", "x,y,z,intensity,red,green,blue".
struct Named {
  Places position{0, 1, 2};
  std::optional<Places> colour;
  size_t columns() const {
    const Places& other = colour ? *colour : position;
    return 1 +
           std::max(*std::max_element(position.begin(), position.end()), *std::max_element(other.begin(), other.end()));
  }
};

// The fields of one line after another, in memory that is kept.
class Row {
 public:
  const std::vector<std::string_view>& of(std::string_view line) {
    spaced_.assign(line);
    for (char& c : spaced_)
      if (c == ',' || c == ';' || c == '\t') c = ' ';
    fields_.clear();
    Fields rest(spaced_);
    for (std::string_view field = rest.next(); !field.empty() && fields_.size() < kMostColumns; field = rest.next())
      fields_.push_back(field);
    return fields_;
  }

 private:
  std::string spaced_;
  std::vector<std::string_view> fields_;
};

std::optional<Named> named_columns(std::string_view line) {
  Row row;
  std::vector<std::string> names;
  for (const std::string_view field : row.of(line.substr(std::min(line.find_first_not_of("/# \t"), line.size())))) {
    names.push_back(lower(field));
    std::erase(names.back(), '"');
  }
  const auto find = [&](std::initializer_list<const char*> all) {
    for (const char* one : all)
      if (const auto found = std::find(names.begin(), names.end(), one); found != names.end())
        return size_t(found - names.begin());
    return names.size();
  };
  Named named;
  named.position = {find({"x"}), find({"y"}), find({"z"})};
  const Places colour{find({"r", "red", "rf"}), find({"g", "green", "gf"}), find({"b", "blue", "bf"})};
  const auto all_there = [&](const Places& places) {
    return *std::max_element(places.begin(), places.end()) < names.size();
  };
  if (!all_there(named.position)) return std::nullopt;
  if (all_there(colour)) named.colour = colour;
  return named;
}

// The number by which three columns are colours of 0 to 255; 0: they are none.
double colour_scale(const Columns& columns, const Places& places, bool named) {
  double most = 0;
  bool whole = true;
  for (size_t row = 0; row < columns.rows(); ++row)
    for (const size_t column : places) {
      const double value = columns.at(row, column);
      if (!(value >= 0 && value <= 255)) return 0;
      most = std::max(most, value);
      whole = whole && value == std::floor(value);
    }
  if (most <= 1 && !whole) return 255;
  if (most <= 1) return named ? 255 : 0;
  return whole || named ? 1 : 0;
}

struct Colours {
  Places places{};
  double scale = 0;  // 0: there are none
};

Colours find_colours(const Columns& columns, const std::optional<Named>& named) {
  if (named && named->colour) return {*named->colour, colour_scale(columns, *named->colour, true)};
  if (named) return {};
  std::vector<size_t> firsts{3, 4, 6};  // behind the position, an intensity, a normal
  if (columns.count == 7) firsts = {4, 3};
  for (const bool fractions : {false, true})  // what is between 0 and 1 may be anything
    for (const size_t first : firsts) {
      const Places places{first, first + 1, first + 2};
      if (places[2] >= columns.count) continue;
      if (const double scale = colour_scale(columns, places, false); scale == (fractions ? 255 : 1))
        return {places, scale};
    }
  return {};
}

splat::Result<Columns> read_columns(std::string_view text, const std::string& name, std::optional<Named>& named) {
  Columns columns;
  LineReader lines(text, name);
  Row row;
  bool counted = false;
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    if (line.empty()) continue;
    if (columns.count == 0 && !named && (named = named_columns(line))) continue;
    if (line.starts_with('#') || line.starts_with("//")) continue;
    const std::vector<std::string_view>& fields = row.of(line);
    if (columns.count == 0 && fields.size() == 1 && !counted) {  // how many there are, in a .pts
      counted = true;
      continue;
    }
    if (columns.count == 0) columns.count = named ? named->columns() : fields.size();
    bool good = columns.count >= 3 && fields.size() >= columns.count;
    for (size_t i = 0; good && i < columns.count; ++i) {
      double value = 0;
      good = parse_number(fields[i], value);
      columns.values.push_back(value);
    }
    if (!good) return lines.error("expected a point: x y z and perhaps r g b, as many numbers as in the first line");
  }
  return columns;
}

}  // namespace

bool is_point_file(const fs::path& file) {
  const std::string name = lower(file.filename().string());
  for (const char* end : {".xyz", ".pts", ".txt", ".asc", ".csv"})
    if (name.ends_with(end)) return true;
  return name.ends_with(".ply") && is_file(file) && ply_holds_points(file);
}

std::string unread_point_file(const fs::path& file) {
  const std::string name = lower(file.filename().string());
  for (const auto& [end, what] :
       {std::pair{".las", "a LAS"}, {".laz", "a LAZ"}, {".e57", "an E57"}, {".pcd", "a PCD"}, {".ptx", "a PTX"}})
    if (name.ends_with(end))
      return "'" + file.string() + "' is " + what +
             " point cloud, which hipsplat does not read: save it as PLY with CloudCompare or PDAL (pdal translate)";
  return {};
}

splat::Result<PointCloud> parse_point_text(std::string_view text, const std::string& name) {
  SPLAT_ASSIGN_OR_RETURN(text, as_utf8(text, name));
  std::optional<Named> named;
  SPLAT_ASSIGN_OR_RETURN(const Columns columns, read_columns(text, name, named));
  const Colours colours = find_colours(columns, named);
  const Places position = named ? named->position : Places{0, 1, 2};
  PointCloud points;
  std::vector<double> xyz;
  for (size_t row = 0; row < columns.rows(); ++row) {
    std::array<double, 3> place{};
    for (size_t k = 0; k < 3; ++k) place[k] = columns.at(row, position[k]);
    if (!std::all_of(place.begin(), place.end(), [](double v) { return std::abs(v) <= kMaxCoordinate / 2; })) {
      ++points.left_out;
      continue;
    }
    xyz.insert(xyz.end(), place.begin(), place.end());
    for (const size_t column : colours.places)
      points.rgb.push_back(
          colours.scale > 0 ? uint8_t(std::lround(std::min(columns.at(row, column) * colours.scale, 255.0))) : kGrey);
  }
  if (xyz.empty()) return Error{"'" + name + "' holds no points"};
  points.origin = local_origin_of(xyz);
  for (size_t i = 0; i < xyz.size(); ++i) points.xyz.push_back(float(xyz[i] - points.origin[i % 3]));
  return points;
}

splat::Result<PointCloud> read_point_file(const fs::path& file) {
  if (const std::string unread = unread_point_file(file); !unread.empty()) return Error{unread};
  if (lower(file.extension().string()) == ".ply") return read_point_cloud_ply(file);
  SPLAT_ASSIGN_OR_RETURN(const std::string text, read_file(file));
  return parse_point_text(text, file.string());
}

}  // namespace io
