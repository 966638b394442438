#include "io/images/heif_references.h"

#include <cstddef>
#include <cstdint>

namespace io::codec {

namespace {

uint64_t box_number(std::string_view bytes, size_t at, size_t count) {
  uint64_t value = 0;
  for (size_t i = 0; i < count; ++i) value = value << 8 | uint8_t(bytes[at + i]);
  return value;
}

std::string big_endian_text(uint64_t value, size_t count) {
  std::string text(count, '\0');
  for (size_t i = 0; i < count; ++i) text[i] = char(value >> (8 * (count - 1 - i)));
  return text;
}

struct Box {
  size_t begin = 0, content = 0, end = 0;  // offsets
  std::string_view type;
};

// The box at `at` of a row of boxes that ends at `end`; none where it does not fit.
std::optional<Box> box_at(std::string_view bytes, size_t at, size_t end) {
  if (at > end || end - at < 8) return std::nullopt;
  Box box{at, at + 8, end, bytes.substr(at + 4, 4)};
  uint64_t size = box_number(bytes, at, 4);
  if (size == 1) {  // it does not fit 32 bits
    if (end - at < 16) return std::nullopt;
    size = box_number(bytes, at + 8, 8);
    box.content = at + 16;
  }
  if (size == 0) size = end - at;  // up to the end
  if (size > end - at || size < box.content - at) return std::nullopt;
  box.end = at + size_t(size);
  return box;
}

std::optional<Box> find_box(std::string_view bytes, size_t at, size_t end, std::string_view type) {
  for (auto box = box_at(bytes, at, end); box; box = box_at(bytes, box->end, end))
    if (box->type == type) return box;
  return std::nullopt;
}

constexpr size_t kVersionAndFlags = 4;

std::string make_box(std::string_view type, const std::string& content) {
  return big_endian_text(8 + content.size(), 4).append(type).append(content);
}

// The main picture's item; 0: none is named.
uint64_t main_item(std::string_view bytes, const Box& meta) {
  const auto box = find_box(bytes, meta.content + kVersionAndFlags, meta.end, "pitm");
  if (!box || box->end - box->content < kVersionAndFlags + 2) return 0;
  const size_t width = bytes[box->content] == 0 ? 2 : 4;
  if (box->end - box->content < kVersionAndFlags + width) return 0;
  return box_number(bytes, box->content + kVersionAndFlags, width);
}

// A box of references, from an item to others, with the one to `main` alone, or the first; nothing where it has one.
std::optional<std::string> single(std::string_view bytes, const Box& references, size_t width, uint64_t main) {
  if (references.end - references.content < width + 2) return std::nullopt;
  const uint64_t count = box_number(bytes, references.content + width, 2);
  const size_t items = references.content + width + 2;
  if (count < 2 || references.end - items < count * width) return std::nullopt;
  uint64_t kept = box_number(bytes, items, width);
  for (size_t i = 0; i < count; ++i)
    if (box_number(bytes, items + i * width, width) == main) kept = main;
  return make_box(references.type, std::string(bytes.substr(references.content, width)) + big_endian_text(1, 2) +
                                       big_endian_text(kept, width));
}

}  // namespace

std::optional<std::string> with_single_auxiliary_references(std::string_view heif) {
  const auto meta = find_box(heif, 0, heif.size(), "meta");
  if (!meta || meta->end - meta->content < kVersionAndFlags) return std::nullopt;
  const auto iref = find_box(heif, meta->content + kVersionAndFlags, meta->end, "iref");
  if (!iref || iref->end - iref->content < kVersionAndFlags) return std::nullopt;
  const size_t width = heif[iref->content] == 0 ? 2 : 4;  // of an item's number
  const uint64_t main = main_item(heif, *meta);
  std::string references(heif.substr(iref->content, kVersionAndFlags));
  bool changed = false;
  for (auto box = box_at(heif, iref->content + kVersionAndFlags, iref->end); box;
       box = box_at(heif, box->end, iref->end)) {
    const auto one = box->type == "auxl" ? single(heif, *box, width, main) : std::nullopt;
    references += one ? *one : std::string(heif.substr(box->begin, box->end - box->begin));
    changed |= one.has_value();
  }
  if (!changed) return std::nullopt;
  const std::string content = std::string(heif.substr(meta->content, iref->begin - meta->content)) +
                              make_box("iref", references) + std::string(heif.substr(iref->end, meta->end - iref->end));
  std::string mended(heif);
  mended.replace(meta->begin + 4, 4, "skip");
  if (box_number(heif, meta->begin, 4) == 0 || mended.size() > UINT32_MAX) return std::nullopt;  // no box can follow it
  return mended + make_box("meta", content);
}

}  // namespace io::codec
