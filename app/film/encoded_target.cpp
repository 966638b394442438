#include <fmt/format.h>

#include <algorithm>

#include "align/external_tool.h"
#include "app/film/film_folder.h"
#include "app/film/film_target.h"
#include "app/film/spherical_mark.h"
#include "app/run/output_lock.h"
#include "app/run/replaced_file.h"
#include "app/run/run_output.h"
#include "app/run/run_record.h"
#include "io/atomic_file.h"
#include "io/bytes.h"
#include "io/json.h"

namespace app {

namespace fs = std::filesystem;
using splat::Error;
using splat::Status;

namespace {

constexpr const char* kMuxers[][2] = {{".mp4", "mp4"}, {".webm", "webm"}, {".mov", "mov"}};

std::string muxer_of(const std::string& ending) {
  for (const auto& [name, muxer] : kMuxers)
    if (ending == name) return muxer;
  return "mp4";
}

class EncodedTarget final : public FilmTarget {
 public:
  EncodedTarget(const TargetSettings& settings, const FilmPlan& plan, const FilmChoices& choices)
      : settings_(settings),
        plan_(plan),
        choices_(choices),
        ending_(settings.output.extension().string()),
        parts_(settings.output.string() + ".parts") {}

  Status check() const override {
    SPLAT_TRY(check_writable_folder(settings_.output.parent_path()));
    SPLAT_TRY(check_replaceable(settings_.output, FileKind::kFilm, {.force = settings_.force}));
    if (film_note(parts_, settings_.film) == FilmNote::kForeign && !settings_.force)
      return Error{fmt::format("'{}' is there already and belongs to no film: choose another name, or give --force",
                               (parts_ / "film.json").string())};
    return settings_.force ? Status() : check_film_parts(parts_);
  }

  splat::Result<std::vector<int>> begin() override {
    std::error_code code;
    fs::create_directories(parts_, code);  // an error shows when the first file is written
    if (choices_.tasks == 0) SPLAT_TRY(lock_.take(parts_ / kLockName));
    if (const FilmNote note = film_note(parts_, settings_.film); note != FilmNote::kSame) {
      for (const auto& entry : fs::directory_iterator(parts_, code))
        if ((note == FilmNote::kOther || settings_.force) && is_piece(entry.path())) fs::remove(entry.path(), code);
      SPLAT_TRY(write_film_note(parts_, settings_.film));
    }
    std::vector<int> missing;
    const auto [from, to] = task_part(pieces(), choices_);
    for (int piece = from; piece < to; ++piece) {
      if (fs::exists(file(piece), code)) continue;
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
    const fs::path joined = parts_ / ("joined" + ending_);
    align::ToolCommand command;
    command.program = settings_.ffmpeg;
    command.arguments = {"-nostdin",     "-y",
                         "-v",           "error",
                         "-f",           "concat",
                         "-safe",        "0",
                         "-i",           (parts_ / "list.txt").string(),
                         "-c",           "copy",
                         "-movflags",    "+faststart",
                         "-f",           muxer_of(ending_),
                         joined.string()};
    const align::ToolResult result = align::run_tool(command);
    std::error_code code;
    if (!result.ok()) {
      fs::remove(joined, code);  // a full disk gets its room back
      return Error{align::tool_failure("ffmpeg", result)};
    }
    if (choices_.projection == "360" && ending_ != ".webm") {
      SPLAT_TRY(mark_spherical(joined, settings_.output));
      fs::remove(joined, code);
    } else {
      fs::rename(joined, settings_.output, code);
    }
    if (code) return Error{fmt::format("'{}' could not be written: {}", settings_.output.string(), code.message())};
    for (int piece = 0; piece < pieces(); ++piece) fs::remove(file(piece), code), fs::remove(unfinished(piece), code);
    for (const char* name : {"list.txt", "film.json"}) fs::remove(parts_ / name, code);
    lock_.release();
    fs::remove(parts_, code);  // only where nothing of others is in it
    return {};
  }

 private:
  int pieces() const { return pieces_of(plan_); }
  int begin_of(int piece) const { return std::min(plan_.first + piece * kPiecePictures, plan_.end); }
  bool is_piece(const fs::path& path) const {
    const std::string stem = path.stem().string();
    return path.extension() == ending_ && stem.size() == 6 && stem.find_first_not_of("0123456789") == std::string::npos;
  }
  fs::path unfinished(int piece) const { return parts_ / fmt::format("unfinished_{:06}{}", piece, ending_); }
  fs::path file(int piece) const { return parts_ / fmt::format("{:06}{}", piece, ending_); }

  Status encode(int piece, PictureQueue& queue) {
    const fs::path part = unfinished(piece);
    int left = begin_of(piece + 1) - begin_of(piece);
    std::optional<FilmPicture> present;
    align::ToolCommand command;
    command.program = settings_.ffmpeg;
    command.arguments = {"-nostdin", "-y",
                         "-v",       "error",
                         "-f",       "rawvideo",
                         "-pix_fmt", choices_.transparent ? "rgba" : "rgb24",
                         "-s",       fmt::format("{}x{}", plan_.width, plan_.height),
                         "-r",       fmt::format("{}", plan_.per_second),
                         "-i",       "-"};
    const std::vector<std::string> more = encoder_arguments(ending_, choices_);
    command.arguments.insert(command.arguments.end(), more.begin(), more.end());
    command.arguments.insert(command.arguments.end(), {"-f", muxer_of(ending_), part.string()});
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
    return {};
  }

  TargetSettings settings_;
  const FilmPlan& plan_;
  const FilmChoices& choices_;
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

std::vector<std::string> encoder_arguments(const std::string& ending, const FilmChoices& choices) {
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
  const bool same = json_line(*there) == json_line(film);  // as written: names may be no UTF-8
  return same ? FilmNote::kSame : FilmNote::kOther;
}

int pictures_noted(const fs::path& folder) {
  constexpr uint64_t kMost = 10'000'000;  // a film has no more
  const auto there = read_film_note(folder);
  if (!there || !there->contains("pictures") || !(*there)["pictures"].is_number_unsigned()) return 0;
  return int(std::min((*there)["pictures"].get<uint64_t>(), kMost));
}

Status write_film_note(const fs::path& folder, const nlohmann::json& film) {
  return io::write_file_atomically(folder / "film.json", json_text(film));
}

std::unique_ptr<FilmTarget> encoded_target(const TargetSettings& settings, const FilmPlan& plan,
                                           const FilmChoices& choices) {
  return std::make_unique<EncodedTarget>(settings, plan, choices);
}

}  // namespace app
