#include "app/jobs/align/align_job.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/jobs/align/alignment.h"
#include "app/jobs/training/run_output.h"
#include "io/dataset/find_cameras.h"
#include "splat/core/log.h"
#include "splat/core/printable.h"

namespace app {

namespace fs = std::filesystem;

Outcome align_photos(const AlignTask& given, Monitor& monitor) {
  AlignTask task = given;
  take_only_video(task.input);
  std::error_code code;
  if (!fs::exists(task.input, code))
    return bad_input(fmt::format("there is no '{}': align wants a folder of photos or a video", task.input.string()));
  if (!fs::is_directory(task.input, code) && !align::is_video(task.input))
    return bad_input(fmt::format("'{}' is neither a folder of photos nor a video", task.input.string()));
  if (const splat::Status status = check_writable_folder(task.scene); !status) return bad_input(status.error());
  if (const auto there = io::find_cameras(task.input); there.kind != io::FoundCameras::Kind::kNone)
    splat::log::info(fmt::format("'{}' has cameras already{}: they are found anew", task.input.string(),
                                 there.source.empty() ? "" : ", in '" + there.source.string() + "'"));
  align::AlignReport report;
  if (Outcome outcome = align_input(task, monitor, report); !outcome) return outcome;
  const std::string scene = splat::printable(task.scene.string());
  monitor.result({{"type", "summary"},
                  {"scene", task.scene.string()},
                  {"photos", report.photos},
                  {"registered", report.registered},
                  {"missing", report.missing},
                  {"points", report.points},
                  {"reprojection_error_px", report.reprojection_error_px},
                  {"track_length", report.track_length},
                  {"seconds", report.seconds},
                  {"colmap", report.colmap}},
                 fmt::format("aligned   {}\nscene     {}\nnext      hipsplat train {} -o OUT\n",
                             alignment_sentence(report), scene, scene));
  return done();
}

}  // namespace app
