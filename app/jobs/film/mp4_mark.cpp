// The marks of films in .mp4 and .mov, and of pictures in PNG.
#include "app/jobs/film/film_mark.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <utility>
#include <vector>

#include "io/atomic_file.h"

namespace app {

namespace fs = std::filesystem;
using splat::Error;
using splat::Result;
using splat::Status;

namespace {

constexpr unsigned char kUuid[16] = {0xff, 0xcc, 0x82, 0x63, 0xf8, 0x55, 0x4a, 0x93,
                                     0x88, 0x14, 0x58, 0x7a, 0x02, 0x52, 0x1f, 0xdd};
constexpr const char* kXml =
    "<?xml version=\"1.0\"?><rdf:SphericalVideo xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" "
    "xmlns:GSpherical=\"http://ns.google.com/videos/1.0/spherical/\"><GSpherical:Spherical>true</GSpherical:Spherical>"
    "<GSpherical:Stitched>true</GSpherical:Stitched><GSpherical:StitchingSoftware>hipsplat"
    "</GSpherical:StitchingSoftware><GSpherical:ProjectionType>equirectangular</GSpherical:ProjectionType>"
    "</rdf:SphericalVideo>";
constexpr size_t kHeader = 8;
constexpr uint64_t kMostMoov = uint64_t(1) << 30;

uint64_t number_at(const std::string& bytes, size_t at, size_t count) {
  uint64_t value = 0;
  for (size_t i = 0; i < count; ++i) value = value << 8 | uint8_t(bytes[at + i]);
  return value;
}
void put_number(std::string& bytes, size_t at, size_t count, uint64_t value) {
  for (size_t i = 0; i < count; ++i) bytes[at + i] = char(value >> (8 * (count - 1 - i)));
}
std::string box_of(const std::string& type, const std::string& content) {
  std::string box(4, '\0');
  put_number(box, 0, 4, kHeader + content.size());
  return box + type + content;
}

std::string zeros(size_t count) { return std::string(count, '\0'); }

// At the end of the track; V1 has none for two eyes in a flat picture.
std::string track_mark(FilmMark mark) {
  if (mark != FilmMark::k360) return {};
  return box_of("uuid", std::string(reinterpret_cast<const char*>(kUuid), sizeof kUuid) + kXml);
}

// At the end of what says how the pictures are coded. Each box begins with four zeros, a version and flags.
std::string coding_mark(FilmMark mark) {
  constexpr char kLeftAndRight = 2;
  if (mark == FilmMark::kStereo) return box_of("st3d", zeros(4) + kLeftAndRight);
  return box_of("sv3d", box_of("svhd", zeros(4) + "hipsplat" + zeros(1)) +
                            box_of("proj", box_of("prhd", zeros(4 + 12)) + box_of("equi", zeros(4 + 16))));
}

struct Box {
  size_t at = 0, size = 0;
  std::string type;
};

// The boxes of bytes [begin, end); false: they do not fill it.
bool boxes_in(const std::string& bytes, size_t begin, size_t end, std::vector<Box>& boxes) {
  boxes.clear();
  while (begin < end) {
    if (end - begin < kHeader) return false;
    const uint64_t size = number_at(bytes, begin, 4);
    if (size < kHeader || size > end - begin) return false;
    boxes.push_back({begin, size_t(size), bytes.substr(begin + 4, 4)});
    begin += size_t(size);
  }
  return true;
}

// The first box of each type on the way down, all of them; none: there is no such way.
std::vector<Box> way_down(const std::string& bytes, Box in, std::initializer_list<const char*> types) {
  std::vector<Box> way;
  for (const char* type : types) {
    std::vector<Box> boxes;
    if (!boxes_in(bytes, in.at + kHeader, in.at + in.size, boxes)) return {};
    const auto found = std::find_if(boxes.begin(), boxes.end(), [&](const Box& box) { return box.type == type; });
    if (found == boxes.end()) return {};
    way.push_back(in = *found);
  }
  return way;
}

bool find_box(const std::string& bytes, const Box& in, std::initializer_list<const char*> types, Box& found) {
  const std::vector<Box> way = way_down(bytes, in, types);
  if (!way.empty()) found = way.back();
  return !way.empty();
}

// At the end of the last of these boxes, each within the one before.
void insert_in(std::string& bytes, const std::vector<Box>& way, const std::string& box) {
  bytes.insert(way.back().at + way.back().size, box);
  for (const Box& around : way) put_number(bytes, around.at, 4, number_at(bytes, around.at, 4) + box.size());
}

// What says how the pictures of a track are coded, with all around it.
std::vector<Box> way_to_coding(const std::string& bytes, const Box& track) {
  constexpr size_t kBefore = 16, kLeast = 86;  // bytes before the first one, and of one without boxes
  std::vector<Box> way = way_down(bytes, track, {"mdia", "minf", "stbl", "stsd"}), codings;
  if (way.empty() || way.back().size < kBefore) return {};
  const Box& list = way.back();
  if (!boxes_in(bytes, list.at + kBefore, list.at + list.size, codings) || codings.empty()) return {};
  if (codings[0].size < kLeast) return {};
  way.insert(way.begin(), track);
  way.push_back(codings[0]);
  return way;
}

bool is_video(const std::string& bytes, const Box& track) {
  Box handler;
  return find_box(bytes, track, {"mdia", "hdlr"}, handler) && handler.size >= kHeader + 12 &&
         bytes.compare(handler.at + kHeader + 8, 4, "vide") == 0;
}

// Positions of pictures in the file.
bool move_offsets(std::string& bytes, const Box& track, uint64_t by) {
  for (const auto& [type, width] : {std::pair{"stco", size_t(4)}, std::pair{"co64", size_t(8)}}) {
    Box table;
    if (!find_box(bytes, track, {"mdia", "minf", "stbl", type}, table)) continue;
    if (table.size < kHeader + 8) return false;
    const uint64_t count = number_at(bytes, table.at + kHeader + 4, 4);
    if (count > (table.size - kHeader - 8) / width) return false;
    for (uint64_t i = 0; i < count; ++i) {
      const size_t at = table.at + kHeader + 8 + size_t(i) * width;
      const uint64_t moved = number_at(bytes, at, width) + by;
      if (width == 4 && moved > UINT32_MAX) return false;
      put_number(bytes, at, width, moved);
    }
  }
  return true;
}

}  // namespace

FilmMark mark_of(const std::string& projection) {
  return projection == "360" ? FilmMark::k360 : projection == "stereo" ? FilmMark::kStereo : FilmMark::kNone;
}

std::string png_mark(FilmMark mark, int width, int height) {
  if (mark != FilmMark::k360) return {};
  return fmt::format(
      "<?xpacket begin=\"\xEF\xBB\xBF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?><x:xmpmeta xmlns:x=\"adobe:ns:meta/\">"
      "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description rdf:about=\"\" "
      "xmlns:GPano=\"http://ns.google.com/photos/1.0/panorama/\" GPano:ProjectionType=\"equirectangular\" "
      "GPano:UsePanoramaViewer=\"True\" GPano:FullPanoWidthPixels=\"{0}\" GPano:FullPanoHeightPixels=\"{1}\" "
      "GPano:CroppedAreaImageWidthPixels=\"{0}\" GPano:CroppedAreaImageHeightPixels=\"{1}\" "
      "GPano:CroppedAreaLeftPixels=\"0\" GPano:CroppedAreaTopPixels=\"0\"/></rdf:RDF></x:xmpmeta>"
      "<?xpacket end=\"w\"?>",
      width, height);
}

Result<std::string> marked_moov(std::string moov, FilmMark mark, bool pictures_follow) {
  const Error broken{"the film's boxes could not be read"};
  if (moov.size() < kHeader || number_at(moov, 0, 4) != moov.size()) return broken;
  std::vector<Box> boxes;
  if (!boxes_in(moov, kHeader, moov.size(), boxes)) return broken;
  const std::string of_track = track_mark(mark), of_coding = coding_mark(mark);
  size_t videos = 0;
  for (const Box& track : boxes) videos += track.type == "trak" && is_video(moov, track);
  const size_t grown = videos * (of_track.size() + of_coding.size());
  for (const Box& track : boxes)
    if (pictures_follow && track.type == "trak" && !move_offsets(moov, track, grown)) return broken;
  for (auto track = boxes.rbegin(); track != boxes.rend(); ++track) {  // so that those before stay where they are
    if (track->type != "trak" || !is_video(moov, *track)) continue;
    const std::vector<Box> coding = way_to_coding(moov, *track);
    if (coding.empty()) return broken;
    insert_in(moov, {*track}, of_track);
    insert_in(moov, coding, of_coding);
  }
  put_number(moov, 0, 4, moov.size());
  return moov;
}

Status mark_mp4(const fs::path& film, FilmMark mark, const fs::path& target, const splat::StopAsked& stopped) {
  const Error broken{"'" + film.string() + "' could not be read as an .mp4"};
  std::error_code code;
  const uint64_t all = fs::file_size(film, code);
  std::ifstream in(film, std::ios::binary);
  io::AtomicFile out(target);
  bool marked = false, pictures = false;
  std::string block;
  const auto copy = [&](uint64_t bytes) {
    for (uint64_t left = bytes; left > 0 && in && !(stopped && stopped());) {
      block.resize(size_t(std::min<uint64_t>(left, 1 << 20)));
      in.read(block.data(), std::streamsize(block.size()));
      out.write(block);
      left -= block.size();
    }
  };
  for (uint64_t at = 0; at + kHeader <= all && in;) {
    std::string header(16, '\0');
    in.read(header.data(), std::streamsize(std::min<uint64_t>(16, all - at)));
    in.seekg(std::streamoff(at));
    uint64_t size = number_at(header, 0, 4);
    if (size == 1) size = number_at(header, 8, 8);
    if (size == 0) size = all - at;
    if (size < kHeader || size > all - at) return broken;
    pictures |= header.compare(4, 4, "mdat") == 0;
    if (header.compare(4, 4, "moov") != 0) {
      copy(size);
    } else {
      if (size > kMostMoov) return broken;
      std::string moov(size_t(size), '\0');
      in.read(moov.data(), std::streamsize(moov.size()));
      SPLAT_ASSIGN_OR_RETURN(const std::string changed, marked_moov(std::move(moov), mark, !pictures));
      out.write(changed);
      marked = true;
    }
    at += size;
  }
  if (stopped && stopped()) return Error{"stopped"};
  if (!in || !marked) return broken;
  return out.commit();
}

}  // namespace app
