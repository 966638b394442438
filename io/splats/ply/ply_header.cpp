#include "io/splats/ply/ply_header.h"

#include <algorithm>
#include <array>
#include <limits>

#include "io/names.h"
#include "io/text.h"

namespace io {

namespace {

struct ScalarName {
  std::string_view name;
  PlyScalar type;
};
constexpr std::array<ScalarName, 16> kScalarNames{{
    {"char", PlyScalar::kInt8},
    {"int8", PlyScalar::kInt8},
    {"uchar", PlyScalar::kUint8},
    {"uint8", PlyScalar::kUint8},
    {"short", PlyScalar::kInt16},
    {"int16", PlyScalar::kInt16},
    {"ushort", PlyScalar::kUint16},
    {"uint16", PlyScalar::kUint16},
    {"int", PlyScalar::kInt32},
    {"int32", PlyScalar::kInt32},
    {"uint", PlyScalar::kUint32},
    {"uint32", PlyScalar::kUint32},
    {"float", PlyScalar::kFloat32},
    {"float32", PlyScalar::kFloat32},
    {"double", PlyScalar::kFloat64},
    {"float64", PlyScalar::kFloat64},
}};

constexpr size_t kMaxElements = 256;  // names are looked up one by one

std::optional<PlyScalar> scalar_of(std::string_view name) {
  for (const ScalarName& entry : kScalarNames)
    if (entry.name == name) return entry.type;
  return std::nullopt;
}

Status read_format(const LineReader& lines, Fields fields, PlyHeader& header) {
  const std::string_view format = fields.next(), version = fields.next();
  if (format == "ascii") {
    header.encoding = PlyEncoding::kAscii;
  } else if (format == "binary_little_endian") {
    header.encoding = PlyEncoding::kLittleEndian;
  } else if (format == "binary_big_endian") {
    header.encoding = PlyEncoding::kBigEndian;
  } else {
    return lines.error("unknown PLY format " + in_quotes(format));
  }
  if (version != "1.0") return lines.error("unknown PLY version " + in_quotes(version));
  return {};
}

Status read_element(const LineReader& lines, Fields fields, PlyHeader& header) {
  PlyElement element;
  element.name = fields.next();
  if (element.name.empty() || !fields.next(element.count))
    return lines.error("expected 'element NAME COUNT' with a whole number");
  if (header.elements.size() == kMaxElements)
    return lines.error("the file has more than " + std::to_string(kMaxElements) + " elements, as no program writes it");
  if (header.find(element.name)) return lines.error("the element " + in_quotes(element.name) + " appears twice");
  header.elements.push_back(std::move(element));
  return {};
}

Status read_property(const LineReader& lines, Fields fields, PlyHeader& header) {
  if (header.elements.empty()) return lines.error("a property stands before the first element");
  PlyElement& element = header.elements.back();
  PlyProperty property;
  std::string_view type = fields.next();
  if (type == "list") {
    property.list = true;
    const std::optional<PlyScalar> count = scalar_of(fields.next());
    if (!count) return lines.error("a list property has an unknown type of count");
    property.count_type = *count;
    type = fields.next();
  }
  const std::optional<PlyScalar> scalar = scalar_of(type);
  if (!scalar) return lines.error("unknown property type " + in_quotes(type));
  property.type = *scalar;
  property.name = fields.next();
  if (property.name.empty()) return lines.error("a property has no name");
  property.offset = element.row_bytes;
  if (!property.list) element.row_bytes += bytes_of(*scalar);
  element.properties.push_back(std::move(property));
  return {};
}

// A name that stands twice in an element would make reading by name ambiguous.
Status check_names(const PlyElement& element, const std::string& name) {
  std::vector<std::string_view> names;
  for (const PlyProperty& property : element.properties) names.push_back(property.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return {};
  return Error{"'" + name + "': the property " + in_quotes(*twice) + " of element " + in_quotes(element.name) +
               " appears twice"};
}

}  // namespace

size_t bytes_of(PlyScalar type) {
  constexpr std::array<size_t, 8> kBytes{1, 1, 2, 2, 4, 4, 4, 8};
  return kBytes.at(size_t(type));
}

int PlyElement::find(std::string_view property) const {
  for (size_t i = 0; i < properties.size(); ++i)
    if (properties[i].name == property) return int(i);
  return -1;
}

const PlyProperty* PlyElement::first_list() const {
  for (const PlyProperty& property : properties)
    if (property.list) return &property;
  return nullptr;
}

const PlyElement* PlyHeader::find(std::string_view element) const {
  for (const PlyElement& candidate : elements)
    if (candidate.name == element) return &candidate;
  return nullptr;
}

Result<PlyHeader> parse_ply_header(std::string_view start, const std::string& name) {
  start = start.substr(0, kMaxPlyHeaderBytes);
  LineReader lines(start, name);
  if (!lines.next() || trimmed(lines.line()) != "ply")
    return Error{"'" + name + "' is no PLY file: it does not start with 'ply'"};
  PlyHeader header;
  bool has_format = false;
  while (lines.next() && !lines.ended_open()) {
    Fields fields(lines.line());
    const std::string_view keyword = fields.next();
    if (keyword == "comment" || keyword == "obj_info") {
      header.comments.emplace_back(fields.rest());
    } else if (keyword == "format") {
      SPLAT_TRY(read_format(lines, fields, header));
      has_format = true;
    } else if (keyword == "element") {
      SPLAT_TRY(read_element(lines, fields, header));
    } else if (keyword == "property") {
      SPLAT_TRY(read_property(lines, fields, header));
    } else if (keyword == "end_header") {
      if (!has_format) return lines.error("the header ends without a 'format' line");
      for (const PlyElement& element : header.elements) SPLAT_TRY(check_names(element, name));
      header.bytes = size_t(lines.line().data() - start.data()) + lines.line().size();
      header.bytes = start.find('\n', header.bytes) + 1;
      header.lines = lines.number();
      return header;
    } else if (!keyword.empty()) {
      return lines.error("unknown word " + in_quotes(keyword) + " in the PLY header");
    }
  }
  return Error{"'" + name + "': the PLY header has no 'end_header' within its first " + std::to_string(start.size()) +
               " bytes (truncated or corrupt)"};
}

}  // namespace io
