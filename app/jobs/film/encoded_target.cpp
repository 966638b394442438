#include <fmt/format.h>

#include <algorithm>

#include "align/external_tool.h"
#include "app/jobs/film/film_folder.h"
#include "app/jobs/film/film_mark.h"
#include "app/jobs/film/film_target.h"
#include "app/jobs/output_lock.h"
#include "app/jobs/replaced_file.h"
#include "app/jobs/training/run_output.h"
#include "app/jobs/training/run_record.h"
#include "io/atomic_file.h"
#include "io/bytes.h"
#include "io/files_below.h"
#include "io/json.h"
#include "io/whole_file.h"
#include "splat/core/log.h"
#include "splat/path/picture_rate.h"

namespace app {

namespace fs = std::filesystem;
namespace log = splat::log;
using splat::Error;
using splat::Status;

namespace {

constexpr std::string_view kUnfinished = "unfinished_";  // pieces that are being encoded
constexpr const char* kMuxers[][2] = {{".mp4", "mp4"}, {".webm", "webm"}, {".mov", "mov"}};

std::string muxer_of(const std::string& ending) {
  for (const auto& [name, muxer] : kMuxers)
    if (ending == name) return muxer;
  return "mp4";
}

class EncodedTarget final : public FilmTarget {
 public:
  EncodedTarget(const TargetSettings& settings, const FilmPlan& plan, const FilmSettings& choices)
      : settings_(settings),
        plan_(plan),
        choices_(choices),
        ending_(io::lower(settings.output.extension().string())),
        parts_(settings.output.string() + ".parts") {}

  Status check() const override {
    SPLAT_TRY(check_writable_folder(settings_.output.parent_path()));
    SPLAT_TRY(check_replaceable(settings_.output, FileKind::kFilm, {.force = settings_.force}));
    return check_parts();
  }

  splat::Result<std::vector<int>> begin() override {
    std::error_code code;
    fs::create_directories(parts_, code);  // an error shows when the first file is written
    if (choices_.tasks == 0) SPLAT_TRY(lock_.take(parts_ / kLockName));
    io::remove_dead_partial_files(parts_, "");
    if (const FilmNote note = film_note(parts_, settings_.film); note != FilmNote::kSame) {
      for (const auto& entry : fs::directory_iterator(parts_, code))
        if ((note == FilmNote::kOther || settings_.force) && is_piece(entry.path())) fs::remove(entry.path(), code);
      SPLAT_TRY(write_film_note(parts_, settings_.film));
    }
    std::vector<int> missing;
    const auto [from, to] = task_part(pieces(), choices_);
    for (int piece = from; piece < to; ++piece) {
      if (is_whole(piece)) continue;
      if (fs::exists(file(piece), code))
        log::warning(fmt::format("'{}' is damaged, and drawn again", file(piece).string()));
      todo_.push_back(piece);
      for (int i = begin_of(piece); i < begin_of(piece + 1); ++i) missing.push_back(i);
    }
    return missing;
  }

  Status write(PictureQueue& queue) override {
    for (const int piece : todo_) {
      SPLAT_TRY(encode(piece, queue));
      if (queue.closed()) break;
    }
    return {};
  }

  Status finish() override {
    std::string list;
    for (int piece = 0; piece < pieces(); ++piece) list += fmt::format("file '{}'\n", file(piece).filename().string());
    SPLAT_TRY(io::write_file_atomically(parts_ / "list.txt", list));
    const fs::path joined = parts_ / ("joined" + ending_), marked = parts_ / ("marked" + ending_);
    std::error_code code;
    fs::remove(marked, code);  // of a killed process
    const Status status = join(joined.filename(), marked);
    const bool twice = fs::exists(marked, code);
    if (status) fs::rename(twice ? marked : joined, settings_.output, code);
    for (const fs::path& file : {joined, marked}) {  // a full disk gets its room back
      std::error_code gone;
      fs::remove(file, gone);
    }
    if (!status) return status.error();
    if (code) return Error{fmt::format("'{}' could not be written: {}", settings_.output.string(), code.message())};
    for (int piece = 0; piece < pieces(); ++piece)
      for (const fs::path& made : {file(piece), sum_file(piece), unfinished(piece)}) fs::remove(made, code);
    for (const char* name : {"list.txt", "film.json"}) fs::remove(parts_ / name, code);
    lock_.release();
    fs::remove(parts_, code);  // only where nothing of others is in it
    return {};
  }

 private:
  int pieces() const { return pieces_of(plan_); }
  int begin_of(int piece) const { return std::min(plan_.first + piece * kPiecePictures, plan_.end); }
  // Or what a killed process has left of one; of tasks, another may have begun it just now.
  bool is_piece(const fs::path& path) const {
    std::string name = path.filename().string();
    if (choices_.tasks == 0 && name.starts_with(kUnfinished)) name.erase(0, kUnfinished.size());
    const std::string ending = name.substr(std::min<size_t>(6, name.size()));
    return name.find_first_not_of("0123456789") == 6 && (ending == ending_ || ending == ending_ + ".sum");
  }
  fs::path unfinished(int piece) const { return parts_ / fmt::format("{}{:06}{}", kUnfinished, piece, ending_); }
  fs::path file(int piece) const { return parts_ / fmt::format("{:06}{}", piece, ending_); }

  fs::path sum_file(int piece) const { return file(piece) += ".sum"; }

  // The folder for the pieces: ours, or one that can be made; nothing of others is in it.
  Status check_parts() const {
    std::error_code code;
    if (!fs::exists(fs::symlink_status(parts_, code))) {
      const fs::path above = parts_.parent_path();
      if (!above.empty() && !fs::is_directory(above, code)) return {};  // it is made as well
      if (!fs::create_directory(parts_, code))
        return Error{fmt::format("the folder '{}' for the pieces of the film cannot be made: {}", parts_.string(),
                                 code.message())};
      fs::remove(parts_, code);
      return {};
    }
    if (settings_.force && fs::is_directory(parts_, code)) return {};
    return check_film_parts(parts_);
  }

  // Written down once it was: what a power cut or a full disk leaves is drawn again.
  splat::Result<std::string> sum_of(int piece) const {
    SPLAT_ASSIGN_OR_RETURN(const uint32_t sum, io::file_checksum(file(piece)));
    std::error_code code;
    return fmt::format("{} {:08x}\n", uint64_t(fs::file_size(file(piece), code)), sum);
  }
  bool is_whole(int piece) const {
    const auto noted = io::read_file(sum_file(piece));
    const auto there = noted ? sum_of(piece) : noted;
    return there && *there == *noted;
  }

  // ffmpeg in the folder of the pieces, with names of our own: whatever the film is called, they are nothing else.
  align::ToolCommand ffmpeg(std::vector<std::string> arguments) const {
    align::ToolCommand command;
    command.program = settings_.ffmpeg;
    command.folder = parts_;
    command.arguments = {"-nostdin", "-y", "-v", "error"};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    command.grace_seconds = 0;  // what it has begun is made anew
    return command;
  }

  // Into `marked` instead where the mark moves what is behind it.
  Status join(const fs::path& joined, const fs::path& marked) const {
    std::vector<std::string> words{"-f", "concat", "-safe", "0", "-i", "file:list.txt", "-c", "copy"};
    const auto add = [&](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
    const FilmMark mark = mark_of(choices_.projection);
    const bool webm = ending_ == ".webm";
    if (webm && mark == FilmMark::kStereo) add({"-metadata:s:v:0", "stereo_mode=left_right"});
    if (webm && mark == FilmMark::k360) add({"-metadata:s:v:0", std::string("title=") + kWebmRoom});
    if (!settings_.comment.empty()) add({"-metadata", "comment=" + settings_.comment});
    if (webm) add({"-fflags", "+bitexact"});  // no random numbers
    add({"-movflags", "+faststart", "-f", muxer_of(ending_), "file:" + joined.string()});
    align::ToolCommand command = ffmpeg(words);
    command.cancelled = settings_.stopped;
    const align::ToolResult result = align::run_tool(command);
    if (!result.ok()) return Error{align::tool_failure("ffmpeg", result)};
    if (mark == FilmMark::kNone || (webm && mark == FilmMark::kStereo)) return {};
    return webm ? mark_webm(parts_ / joined) : mark_mp4(parts_ / joined, mark, marked, settings_.stopped);
  }

  Status encode(int piece, PictureQueue& queue) {
    const fs::path part = unfinished(piece);
    int left = begin_of(piece + 1) - begin_of(piece);
    std::optional<FilmPicture> present;
    std::vector<std::string> words{"-f",       "rawvideo",
                                   "-pix_fmt", choices_.transparent ? "rgba" : "rgb24",
                                   "-s",       fmt::format("{}x{}", plan_.width, plan_.height),
                                   "-r",       splat::rate_text(plan_.per_second),
                                   "-i",       "-"};
    const std::vector<std::string> more = encoder_arguments(ending_, choices_);
    words.insert(words.end(), more.begin(), more.end());
    if (ending_ == ".webm") words.insert(words.end(), {"-fflags", "+bitexact"});
    words.insert(words.end(), {"-f", muxer_of(ending_), "file:" + part.filename().string()});
    align::ToolCommand command = ffmpeg(words);
    command.input = [&]() -> std::string_view {
      if (left == 0 || !(present = queue.take())) return {};
      --left;
      const auto& bytes = present->image.pixels;
      return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    };
    command.cancelled = [&] { return queue.closed(); };
    const align::ToolResult result = align::run_tool(command);
    std::error_code code;
    if (queue.closed() || !result.ok()) fs::remove(part, code);
    if (queue.closed()) return {};
    if (!result.ok()) return Error{align::tool_failure("ffmpeg", result)};
    if (left > 0) return Error{"ffmpeg ended before it had read all pictures"};
    fs::rename(part, file(piece), code);
    if (code) return Error{fmt::format("'{}' could not be written: {}", file(piece).string(), code.message())};
    SPLAT_ASSIGN_OR_RETURN(const std::string sum, sum_of(piece));
    return io::write_file_atomically(sum_file(piece), sum);
  }

  TargetSettings settings_;
  const FilmPlan& plan_;
  const FilmSettings& choices_;
  std::string ending_;
  fs::path parts_;
  std::vector<int> todo_;  // pieces
  OutputLock lock_;        // not of tasks, which share the folder
};

splat::Result<nlohmann::json> read_film_note(const fs::path& folder) {
  SPLAT_ASSIGN_OR_RETURN(const std::string text, io::read_file(folder / "film.json"));
  SPLAT_ASSIGN_OR_RETURN(nlohmann::json there, io::parse_json(text, "film.json"));
  if (!there.is_object() || !there.contains("splats")) return Error{"film.json is of no film"};
  return there;
}

}  // namespace

uint64_t encoder_bytes(const fs::path& film, uint64_t pixels) {
  return 45'000'000 + pixels * (io::lower(film.extension().string()) == ".mov" ? 25 : 130);
}

std::vector<std::string> encoder_arguments(const std::string& ending, const FilmSettings& choices) {
  const std::string quality = fmt::format("{}", choices.quality);
  std::vector<std::string> words;
  if (ending == ".mov") {
    words = {"-c:v",    "prores_ks", "-profile:v", choices.transparent ? "4444" : "hq",
             "-vendor", "apl0",      "-pix_fmt",   choices.transparent ? "yuva444p10le" : "yuv422p10le"};
  } else if (ending == ".webm") {
    words = {"-c:v",          "libvpx-vp9",
             "-crf",          quality,
             "-b:v",          "0",
             "-deadline",     "good",
             "-cpu-used",     "4",
             "-row-mt",       "1",
             "-auto-alt-ref", choices.transparent ? "0" : "1",
             "-pix_fmt",      choices.transparent ? "yuva420p" : "yuv420p"};
  } else {
    words = {"-c:v", "libx264", "-crf", quality, "-preset", "fast", "-pix_fmt", "yuv420p"};
  }
  // Said of the pictures as well: ProRes writes into each of them what that says.
  const std::string filter =
      "scale=out_color_matrix=bt709:flags=bicubic+accurate_rnd+full_chroma_int,"
      "setparams=color_primaries=bt709:color_trc=iec61966-2-1:colorspace=bt709";
  const std::vector<std::string> colours{
      "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "iec61966-2-1", "-vf", filter};
  words.insert(words.end(), colours.begin(), colours.end());
  return words;
}

FilmNote film_note(const fs::path& folder, const nlohmann::json& film) {
  std::error_code code;
  if (!fs::exists(folder / "film.json", code)) return FilmNote::kNone;
  const auto there = read_film_note(folder);
  if (!there) return FilmNote::kForeign;
  const auto compared = [](nlohmann::json note) {  // as written: names may be no UTF-8
    if (note.is_object()) note.erase("iterations");
    return json_line(note);
  };
  return compared(*there) == compared(film) ? FilmNote::kSame : FilmNote::kOther;
}

int number_noted(const fs::path& folder, const char* name) {
  constexpr uint64_t kMost = 1'000'000'000;
  const auto there = read_film_note(folder);
  if (!there || !there->contains(name) || !(*there)[name].is_number_unsigned()) return 0;
  return int(std::min((*there)[name].get<uint64_t>(), kMost));
}

Status write_film_note(const fs::path& folder, const nlohmann::json& film) {
  return io::write_file_atomically(folder / "film.json", json_text(film));
}

std::unique_ptr<FilmTarget> encoded_target(const TargetSettings& settings, const FilmPlan& plan,
                                           const FilmSettings& choices) {
  return std::make_unique<EncodedTarget>(settings, plan, choices);
}

}  // namespace app
