// The mark of 360-degree films in .webm.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>

#include "app/jobs/film/film_mark.h"

namespace app {

using splat::Error;
using splat::Result;
using splat::Status;

namespace {

constexpr uint64_t kEbml = 0x1A45DFA3, kSegment = 0x18538067, kTracks = 0x1654AE6B, kTrackEntry = 0xAE, kVideo = 0xE0,
                   kName = 0x536E, kProjection = 0x7670, kProjectionType = 0x7671, kProjectionPrivate = 0x7672,
                   kVoid = 0xEC;
constexpr size_t kStart = size_t(1) << 20;  // the track lies within these bytes

struct Element {
  uint64_t id = 0;
  size_t at = 0, content = 0, end = 0;  // bytes: where it begins, its content, what is behind it
};

// A number whose length its first bits say; with them, as identifiers are written, or without.
std::optional<uint64_t> vint_at(const std::string& bytes, size_t& at, bool with_length) {
  if (at >= bytes.size() || bytes[at] == 0) return std::nullopt;
  const uint8_t first = uint8_t(bytes[at]);
  size_t length = 1;
  while (!(first & (0x80 >> (length - 1)))) ++length;
  if (bytes.size() - at < length) return std::nullopt;
  uint64_t value = with_length ? first : first & (0x7F >> (length - 1));
  for (size_t i = 1; i < length; ++i) value = value << 8 | uint8_t(bytes[at + i]);
  at += length;
  return value;
}

std::optional<Element> element_at(const std::string& bytes, size_t at) {
  Element one;
  one.at = at;
  const auto id = vint_at(bytes, at, true);
  const auto size = id ? vint_at(bytes, at, false) : std::nullopt;
  if (!size) return std::nullopt;
  one.id = *id, one.content = at;
  one.end = size_t(std::min<uint64_t>(*size, bytes.size() * 2)) + at;  // the segment goes on behind what is known
  return one;
}

std::optional<Element> find_in(const std::string& bytes, size_t begin, size_t end, uint64_t id) {
  while (begin < std::min(end, bytes.size())) {
    const auto one = element_at(bytes, begin);
    if (!one || one->id == id) return one;
    begin = one->end;
  }
  return std::nullopt;
}

std::string id_bytes(uint64_t id) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8)
    if (id >> shift) text += char(id >> shift);
  return text;
}

std::string element(uint64_t id, const std::string& content) {
  std::string size{char(0x80 | content.size())};
  if (content.size() >= 0x7F) {
    size = '\x01';
    for (int shift = 48; shift >= 0; shift -= 8) size += char(uint64_t(content.size()) >> shift);
  }
  return id_bytes(id) + size + content;
}

// That many bytes which mean nothing.
std::optional<std::string> nothing(size_t bytes) {
  if (bytes == 0) return std::string();
  for (const size_t head : {size_t(2), size_t(9)})
    if (bytes >= head && element(kVoid, std::string(bytes - head, '\0')).size() == bytes)
      return element(kVoid, std::string(bytes - head, '\0'));
  return std::nullopt;
}

// All of it, without the name and with the projection.
std::optional<std::string> marked_track(const std::string& bytes, const Element& track) {
  const std::string projection =
      element(kProjection, element(kProjectionType, "\x01") + element(kProjectionPrivate, std::string(20, '\0')));
  std::string content;
  bool marked = false;
  for (size_t at = track.content; at < track.end;) {
    const auto one = element_at(bytes, at);
    if (!one || one->end > track.end) return std::nullopt;
    if (one->id == kVideo) {
      content += element(kVideo, bytes.substr(one->content, one->end - one->content) + projection);
      marked = true;
    } else if (one->id != kName) {
      content += bytes.substr(one->at, one->end - one->at);
    }
    at = one->end;
  }
  if (!marked || content.size() > track.end - track.content) return std::nullopt;
  const auto rest = nothing(track.end - track.content - content.size());
  if (!rest) return std::nullopt;
  return content + *rest;
}

}  // namespace

Result<std::string> marked_webm(std::string start) {
  const Error broken{"the film's track could not be read"};
  const auto head = element_at(start, 0);
  if (!head || head->id != kEbml || head->end > start.size()) return broken;
  const auto segment = element_at(start, head->end);
  if (!segment || segment->id != kSegment) return broken;
  const auto tracks = find_in(start, segment->content, segment->end, kTracks);
  if (!tracks || tracks->end > start.size()) return broken;
  const auto track = find_in(start, tracks->content, tracks->end, kTrackEntry);
  if (!track || track->end > tracks->end) return broken;
  const auto changed = marked_track(start, *track);
  if (!changed) return broken;
  return start.replace(track->content, changed->size(), *changed);
}

Status mark_webm(const std::filesystem::path& film) {
  const Error broken{"'" + film.string() + "' could not be read as a .webm"};
  std::fstream file(film, std::ios::in | std::ios::out | std::ios::binary);
  std::string start(kStart, '\0');
  file.read(start.data(), std::streamsize(start.size()));
  start.resize(size_t(file.gcount()));
  file.clear();
  const auto changed = marked_webm(start);
  if (!changed) return broken;
  file.seekp(0);
  file.write(changed->data(), std::streamsize(changed->size()));
  file.close();
  if (!file) return Error{"'" + film.string() + "' could not be written"};
  return {};
}

}  // namespace app
