// A video becomes photos: scene/images/frame_00001.jpg and so on, by one pass of ffmpeg.
#include <algorithm>
#include <cstdio>

#include "align/stages/job.h"
#include "align/video/frame_choice.h"
#include "align/video/jpeg_stream.h"
#include "align/video/probe.h"
#include "io/atomic_file.h"
#include "io/bytes.h"

namespace align {

namespace fs = std::filesystem;

namespace {

// As bright as the same scene filmed without HDR: hable would leave two thirds of that.
constexpr const char* kToneMapping =
    ",zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=mobius:desat=0,zscale=t=bt709:m=bt709:r=tv";

constexpr double kGraceSeconds = 0.2;  // whoever decodes has nothing to save

StageEnd probe(Job& job, const VideoTools& tools, VideoInfo& info) {
  std::string json;
  ToolCommand command;
  command.program = tools.ffprobe;
  command.arguments = probe_arguments(job.options.input);
  command.cancelled = job.options.cancelled;
  command.grace_seconds = kGraceSeconds;
  command.log = job.paths.log;
  command.on_bytes = [&](std::string_view bytes) { json += bytes; };
  const ToolResult result = run_tool(command);
  job.last_lines = result.last_lines;
  if (result.end == ToolEnd::kCancelled) return {AlignEnd::kCancelled, "cancelled"};
  const auto parsed = parse_probe(json, job.options.input.string());
  if (!result.ok() || !parsed)
    return {AlignEnd::kUnusable, (parsed ? tool_failure("ffprobe", result) : parsed.error().message) +
                                     (result.last_lines.empty() ? "" : " ('" + result.last_lines.back() + "')")};
  info = *parsed;
  return {};
}

fs::path frame_file(const fs::path& images, int interval) {
  char name[32];
  std::snprintf(name, sizeof name, "frame_%05d.jpg", interval + 1);
  return images / name;
}

bool is_frame(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with("frame_") && name.ends_with(".jpg");
}

// The interval behind the last frame that is there.
int first_interval(const fs::path& images) {
  int next = 0;
  std::error_code code;
  for (fs::directory_iterator it(images, code), end; !code && it != end; it.increment(code))
    if (is_frame(it->path())) next = std::max(next, std::atoi(it->path().filename().c_str() + 6));
  return next;
}

// An empty folder for the frames. Photos of the user's are not touched: then another folder is asked for.
StageEnd clear_images(const Job& job, const fs::path& images) {
  std::error_code code;
  if (fs::is_symlink(fs::symlink_status(images, code))) fs::remove(images, code);
  const bool ours = !job.record.empty();
  std::vector<fs::path> old;
  for (fs::directory_iterator it(images, code), end; !code && it != end; it.increment(code)) old.push_back(it->path());
  for (const fs::path& path : old)
    if (!ours || !is_frame(path))
      return {AlignEnd::kUnusable, "'" + images.string() + "' already holds files: choose another -o for the frames"};
  for (const fs::path& path : old) fs::remove(path, code);
  fs::create_directories(images, code);
  if (code) return {AlignEnd::kFailed, "the folder '" + images.string() + "' cannot be made: " + code.message()};
  return {};
}

StageEnd take_frames(Job& job, const VideoTools& tools, const VideoInfo& info, const FramePlan& plan,
                     const fs::path& images) {
  const int first = first_interval(images);
  if (first > 0) job.note("going on behind frame " + std::to_string(first));
  splat::Status written;
  FrameChoice choice(plan, first, [&](int interval, const std::string& jpeg) {
    if (written) written = io::write_file_atomically(frame_file(images, interval), jpeg);
  });
  JpegStream stream([&](std::string_view jpeg) {
    choice.candidate(jpeg);
    job.progress(size_t(std::min(choice.interval(), plan.frames)));
  });
  char rate[32], start[32];
  std::snprintf(rate, sizeof rate, "%.6f", plan.candidates_per_second);
  std::snprintf(start, sizeof start, "%.3f", first * plan.interval_seconds);
  ToolCommand command;
  command.program = tools.ffmpeg;
  command.arguments = {"-nostdin", "-v", "error"};
  if (first > 0) command.arguments.insert(command.arguments.end(), {"-ss", start});
  for (const std::string& word :
       {std::string("-i"), ffmpeg_name(job.options.input), std::string("-map"), "0:" + std::to_string(info.stream),
        std::string("-vf"), std::string("fps=") + rate + (info.hdr ? kToneMapping : ""), std::string("-pix_fmt"),
        std::string("yuvj420p"), std::string("-f"), std::string("image2pipe"), std::string("-c:v"),
        std::string("mjpeg"), std::string("-q:v"), std::string("2"), std::string("-")})
    command.arguments.push_back(word);
  command.cancelled = [&] { return job.cancelled() || !written; };
  command.grace_seconds = kGraceSeconds;
  command.log = job.paths.log;
  command.on_bytes = [&](std::string_view bytes) { stream.add(bytes); };
  const ToolResult result = run_tool(command);
  job.last_lines = result.last_lines;
  if (job.cancelled()) return {AlignEnd::kCancelled, "cancelled"};
  ALIGN_TRY(written);
  choice.end();
  ALIGN_TRY(written);
  if (!result.ok() && first_interval(images) < plan.frames / 2)
    return {AlignEnd::kFailed, tool_failure("ffmpeg", result)};
  if (!result.ok())
    job.warning("the video is damaged; going on with what could be read: " + tool_failure("ffmpeg", result));
  if (choice.skipped() > 0)
    job.note(std::to_string(choice.skipped()) + " of " + std::to_string(plan.frames) +
             " intervals show what the one before shows and are left out");
  return {};
}

}  // namespace

StageEnd frames_stage(Job& job) {
  if (!is_video(job.options.input)) return {};
  job.begin(Stage::kFrames);
  job.is_film = true;
  if (const std::string missing = missing_video_tools(); !missing.empty()) return {AlignEnd::kMissingProgram, missing};
  const VideoTools tools = find_video_tools();
  VideoInfo info;
  ALIGN_STAGE(probe(job, tools, info));
  const FramePlan plan = plan_frames(info, job.options.frames);
  job.note("a video of " + std::to_string(int(info.seconds + 0.5)) + " s, " + std::to_string(info.width) + "x" +
           std::to_string(info.height) + (info.hdr ? ", HDR" : "") + ": up to " + std::to_string(plan.frames) +
           " frames, each the sharpest of " + std::to_string(plan.candidates));
  std::error_code code;
  job.stamp.add("frames").add(fs::absolute(job.options.input, code).string());
  job.stamp.add(int64_t(fs::file_size(job.options.input, code)));
  job.stamp.add(int64_t(fs::last_write_time(job.options.input, code).time_since_epoch().count()));
  job.stamp.add(plan.frames);
  job.set_total(size_t(plan.frames));
  const fs::path images = job.paths.scene / "images";
  if (job.record.done(Stage::kFrames, job.stamp)) return {};
  io::remove_dead_partial_files(images, "");
  if (!job.record.begun(Stage::kFrames, job.stamp)) {
    ALIGN_STAGE(clear_images(job, images));
    ALIGN_TRY(job.record.begin(Stage::kFrames, job.stamp));
  }
  ALIGN_STAGE(take_frames(job, tools, info, plan, images));
  ALIGN_TRY(job.record.finish(Stage::kFrames, job.stamp, job.stage_seconds()));
  return {};
}

}  // namespace align
