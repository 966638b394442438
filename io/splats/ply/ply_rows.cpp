#include "io/splats/ply/ply_rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>
#include <vector>

#include "io/names.h"
#include "io/read_rows.h"
#include "io/text.h"

namespace io {

static_assert(std::endian::native == std::endian::little);

namespace {

constexpr size_t kBlockBytes = size_t(1) << 17;  // rows converted together: they and their targets fit the L2 cache
constexpr size_t kMaxAsciiLineBytes = size_t(1) << 20;

template <class T, bool kSwap>
T load(const char* bytes) {
  std::array<char, sizeof(T)> copy;
  std::memcpy(copy.data(), bytes, sizeof(T));
  if constexpr (kSwap) std::reverse(copy.begin(), copy.end());
  return std::bit_cast<T>(copy);
}

template <class Out>
struct Strided {
  const char* source;  // the property in the block's first row
  size_t row_bytes;
  Out* destination;
  size_t stride;
};

template <class T, bool kSwap, class Out>
void convert(const Strided<Out>& column, size_t rows) {
  const char* source = column.source;
  Out* destination = column.destination;
  for (size_t r = 0; r < rows; ++r, source += column.row_bytes, destination += column.stride)
    *destination = Out(load<T, kSwap>(source));
}

template <bool kSwap, class Out>
void convert(PlyScalar type, const Strided<Out>& column, size_t rows) {
  switch (type) {
    case PlyScalar::kInt8:
      return convert<int8_t, kSwap>(column, rows);
    case PlyScalar::kUint8:
      return convert<uint8_t, kSwap>(column, rows);
    case PlyScalar::kInt16:
      return convert<int16_t, kSwap>(column, rows);
    case PlyScalar::kUint16:
      return convert<uint16_t, kSwap>(column, rows);
    case PlyScalar::kInt32:
      return convert<int32_t, kSwap>(column, rows);
    case PlyScalar::kUint32:
      return convert<uint32_t, kSwap>(column, rows);
    case PlyScalar::kFloat32:
      return convert<float, kSwap>(column, rows);
    case PlyScalar::kFloat64:
      return convert<double, kSwap>(column, rows);
  }
}

// At least this many bytes: a digit and a separator for every ASCII value (the file's last one may lack it), and the
// counts of lists.
size_t smallest_row(PlyEncoding encoding, const PlyElement& element) {
  if (encoding == PlyEncoding::kAscii) return 2 * element.properties.size();
  size_t bytes = element.row_bytes;
  for (const PlyProperty& property : element.properties) bytes += property.list ? bytes_of(property.count_type) : 0;
  return bytes;
}

// A count as it stands in a binary file.
double count_in(const PlyProperty& list, const char* bytes, bool swap) {
  double count = 0;
  const Strided<double> one{bytes, 0, &count, 1};
  swap ? convert<true>(list.count_type, one, 1) : convert<false>(list.count_type, one, 1);
  return count;
}

}  // namespace

PlyRows::PlyRows(ByteStream& stream, const PlyHeader& header) : stream_(stream), header_(header), line_(header.lines) {}

Error PlyRows::line_error(const std::string& problem) const {
  return Error{"'" + stream_.name() + "', line " + std::to_string(line_) + ": " + problem};
}

Error PlyRows::too_short(const PlyElement& element) const {
  return stream_.error("the header promises " + std::to_string(element.count) + " rows of '" + element.name +
                       "', but the remaining " + std::to_string(stream_.remaining()) +
                       " bytes cannot hold them (truncated or corrupt)");
}

Status PlyRows::seek(const PlyElement& target) {
  if (next_ == 0) SPLAT_TRY(stream_.skip(header_.bytes));
  const bool ascii = header_.encoding == PlyEncoding::kAscii;
  while (next_ < header_.elements.size()) {
    const PlyElement& element = header_.elements[next_++];
    if (const PlyProperty* list = element.first_list(); list && &element == &target)
      return Error{"'" + stream_.name() + "': the property " + in_quotes(list->name) + " of element " +
                   in_quotes(element.name) + " is a list, which no splat or point has; save the file without it"};
    const size_t row_bytes = smallest_row(header_.encoding, element);
    if (element.count > 0 && row_bytes == 0)
      return Error{"'" + stream_.name() + "': the element " + in_quotes(element.name) + " has no properties"};
    if (element.count > 0 && element.count > (stream_.remaining() + ascii) / row_bytes) return too_short(element);
    if (&element == &target) return {};
    SPLAT_TRY(pass_over(element));
  }
  return Error{"'" + stream_.name() + "': the element " + in_quotes(target.name) + " stands before one that needs it"};
}

Status PlyRows::pass_over(const PlyElement& element) {
  const bool lists = element.first_list() != nullptr;
  if (header_.encoding != PlyEncoding::kAscii)
    return lists ? pass_over_lists(element) : stream_.skip(element.count * element.row_bytes);
  if (!lists) return read_ascii(element, {});
  for (uint64_t row = 0; row < element.count; ++row) {
    if (const auto line = next_line(); !line) return line.error();
  }
  return {};
}

Status PlyRows::pass_over_lists(const PlyElement& element) {
  for (uint64_t row = 0; row < element.count; ++row)
    for (const PlyProperty& property : element.properties) {
      uint64_t bytes = bytes_of(property.type);
      if (property.list) {
        const size_t width = bytes_of(property.count_type);
        SPLAT_ASSIGN_OR_RETURN(const std::string_view ahead, stream_.peek(width));
        if (ahead.size() < width) return too_short(element);
        const double count = count_in(property, ahead.data(), header_.encoding == PlyEncoding::kBigEndian);
        stream_.advance(width);
        if (!(count >= 0 && count * double(bytes) <= double(stream_.remaining()))) return too_short(element);
        bytes *= uint64_t(count);
      }
      if (bytes > stream_.remaining()) return too_short(element);
      SPLAT_TRY(stream_.skip(bytes));
    }
  return {};
}

Status PlyRows::read(const PlyElement& element, std::span<const PlyColumn> columns) {
  return header_.encoding == PlyEncoding::kAscii ? read_ascii(element, columns) : read_binary(element, columns);
}

Status PlyRows::read_blocks(const PlyElement& element, Body body) {
  SPLAT_TRY(walk_blocks(element, body));
  return stream_.skip(element.count * element.row_bytes);
}

Status PlyRows::walk_blocks(const PlyElement& element, Body body) {
  if (element.count == 0) return {};
  const RowRange rows{stream_.position(), element.row_bytes, size_t(element.count),
                      std::max<size_t>(1, kBlockBytes / element.row_bytes)};
  return read_rows(stream_, rows, pool_, body);  // seek() has compared the count with the file's size
}

Status PlyRows::look_over(const PlyElement& element, std::span<const PlyColumn> columns) {
  return walk_blocks(element, [&](const char* bytes, size_t first, size_t rows) {
    convert_block(element, columns, {bytes, first, rows});
  });
}

void PlyRows::convert_block(const PlyElement& element, std::span<const PlyColumn> columns, const Block& block) const {
  const bool swap = header_.encoding == PlyEncoding::kBigEndian;
  for (const PlyColumn& column : columns) {
    const PlyProperty& property = element.properties[size_t(column.property)];
    const auto convert_to = [&](auto* destination) {
      const Strided<std::remove_pointer_t<decltype(destination)>> strided{
          block.bytes + property.offset, element.row_bytes, destination + block.first * column.stride, column.stride};
      swap ? convert<true>(property.type, strided, block.rows) : convert<false>(property.type, strided, block.rows);
    };
    column.wide ? convert_to(column.wide) : convert_to(column.destination);
  }
}

Status PlyRows::read_binary(const PlyElement& element, std::span<const PlyColumn> columns) {
  return read_blocks(element, [&](const char* bytes, size_t first, size_t rows) {
    convert_block(element, columns, {bytes, first, rows});
  });
}

Status PlyRows::read_chosen(const PlyElement& element, std::span<const PlyColumn> columns,
                            std::span<const uint32_t> chosen) {
  const uint64_t start = stream_.position();
  const size_t row_bytes = element.row_bytes, together = std::max<size_t>(1, kBlockBytes / row_bytes);
  std::vector<std::vector<std::byte>> blocks(size_t(pool_.threads()), std::vector<std::byte>(together * row_bytes));
  std::vector<Status> failures(blocks.size());
  pool_.for_chunks(chosen.size(), together, [&](size_t begin, size_t end, int thread) {
    const std::span<std::byte> block = blocks[size_t(thread)];
    Status& failure = failures[size_t(thread)];
    for (size_t i = begin; i < end && failure; ++i)
      failure = stream_.read_into(start + chosen[i] * row_bytes, block.subspan((i - begin) * row_bytes, row_bytes));
    if (failure) convert_block(element, columns, {reinterpret_cast<const char*>(block.data()), begin, end - begin});
  });
  for (const Status& failure : failures)
    if (!failure) return failure.error();
  return {};
}

// The next line that is not blank; it stays valid until the next call.
Result<std::string_view> PlyRows::next_line() {
  while (stream_.remaining() > 0) {
    ++line_;
    for (size_t window = size_t(1) << 12;; window *= 4) {
      SPLAT_ASSIGN_OR_RETURN(const std::string_view ahead, stream_.peek(window));
      const size_t end = ahead.find('\n');
      ended_open_ = end == std::string_view::npos;
      if (ended_open_ && ahead.size() == window) {
        if (window > kMaxAsciiLineBytes) return line_error("the line is longer than a row can be");
        continue;
      }
      stream_.advance(ended_open_ ? ahead.size() : end + 1);
      if (!trimmed(ahead.substr(0, end)).empty()) return ahead.substr(0, end);
      break;
    }
  }
  return line_error("the file ends before its last row (truncated or corrupt)");
}

Status PlyRows::read_ascii(const PlyElement& element, std::span<const PlyColumn> columns) {
  std::vector<double> values(element.properties.size());
  for (size_t row = 0; row < element.count; ++row) {
    SPLAT_ASSIGN_OR_RETURN(const std::string_view line, next_line());
    Fields fields(line);
    for (double& value : values) {
      const std::string_view field = fields.next();
      if (field.empty())
        return line_error("the row has fewer than " + std::to_string(values.size()) + " values (truncated or corrupt)");
      if (!parse_number(field, value)) return line_error(in_quotes(field) + " is not a number");
    }
    if (!fields.rest().empty()) return line_error("the row has more than " + std::to_string(values.size()) + " values");
    for (const PlyColumn& column : columns) {
      const double value = values[size_t(column.property)];
      if (column.wide)
        column.wide[row * column.stride] = value;
      else
        column.destination[row * column.stride] = float(value);
    }
  }
  return {};
}

Result<std::string> PlyRows::check_end(const PlyElement& last) {
  if (header_.encoding == PlyEncoding::kAscii) {
    if (ended_open_)
      return std::string("the last line has no line end; if the file was cut off there, its last value is wrong");
    constexpr size_t kAhead = size_t(1) << 12;
    if (&last != &header_.elements.back()) return std::string();
    SPLAT_ASSIGN_OR_RETURN(const std::string_view ahead, stream_.peek(kAhead));
    if (trimmed(ahead).empty()) return std::string();
    return "the last " + std::to_string(stream_.remaining()) + " bytes, from line " + std::to_string(line_ + 1) +
           ", belong to no element and are ignored";
  }
  uint64_t rest = stream_.remaining();
  for (const PlyElement* element = &last + 1; element < header_.elements.data() + header_.elements.size(); ++element) {
    if (element->count > 0 && element->first_list())
      return std::string();  // faces: their size shows only by walking them
    if (element->row_bytes > 0 && element->count > rest / element->row_bytes) return too_short(*element);
    rest -= element->count * element->row_bytes;
  }
  if (rest == 0) return std::string();
  return "the last " + std::to_string(rest) + " bytes belong to no element and are ignored";
}

}  // namespace io
