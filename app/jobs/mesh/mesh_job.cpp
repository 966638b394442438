#include "app/jobs/mesh/mesh_job.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/jobs/host/host.h"
#include "app/jobs/input/known_up.h"
#include "app/jobs/input/splat_input.h"
#include "app/jobs/memory_plan.h"
#include "app/jobs/mesh/mesh_making.h"
#include "app/jobs/replaced_file.h"
#include "app/jobs/session.h"
#include "app/jobs/stage_times.h"
#include "app/jobs/training/run_output.h"
#include "app/jobs/work_memory.h"
#include "io/atomic_file.h"
#include "io/meshes/mesh_file.h"
#include "splat/core/counted.h"
#include "splat/core/log.h"
#include "splat/core/printable.h"

namespace app {

namespace {

class MeshRun {
 public:
  MeshRun(const MeshTask& task, Monitor& monitor) : task_(task), monitor_(monitor) {}

  Outcome run() {
    const int side = texture_side(task_.settings, io::holds_texture(task_.output));
    if (!io::is_mesh_name(task_.output))
      return bad_input(
          fmt::format("a mesh cannot be written as '{}': use {}", task_.output.string(), io::writable_mesh_formats()));
    if (side > 0 && !io::holds_texture(task_.output))
      return bad_input(fmt::format("'{}' cannot hold a texture: write .glb or .obj, or give --texture vertex",
                                   task_.output.string()));
    if (const auto status = check_writable_folder(task_.output.parent_path()); !status)
      return bad_input(status.error());
    if (const auto status = check_outputs(side > 0); !status) return bad_input(status.error());
    MeshInput input;
    if (Outcome outcome = open(input); !outcome) return outcome;
    splat::BackendChoice chosen;
    if (Outcome outcome = open_backend(task_.device, chosen); !outcome) return outcome;
    backend_ = chosen.backend->info().name;
    const DepthPixels depths = pixels_of_depths(input, task_.settings.region);
    const uint64_t drawing =
        bytes_to_draw(chosen.backend->info(), input.splats, depths.most) + depths.all * sizeof(float);
    if (const auto status = check_work(fmt::format("drawing '{}'", task_.splats.string()), drawing); !status)
      return bad_input(status.error());
    const MeshPlan plan{task_.settings, side, task_.device.threads};
    if (Outcome outcome = make_mesh(std::move(input), plan, *chosen.backend, monitor_, made_); !outcome) {
      if (outcome.code == ExitCode::kInterrupted)
        outcome.sentence = fmt::format("interrupted: nothing was written to '{}'", task_.output.string());
      return outcome;
    }
    monitor_.stage("writing");
    io::remove_dead_partial_files_of(task_.output);
    if (const auto status =
            io::write_mesh(task_.output, made_.mesh, made_.up, made_.texture, made_.to_metres, beside_of(task_.force));
        !status)
      return failed(status.error());
    report();
    return done();
  }

 private:
  splat::Status check_outputs(bool textured) const {
    SPLAT_TRY(check_replaceable(task_.output, FileKind::kMesh, {.force = task_.force}));
    return textured ? io::check_beside_mesh(task_.output, beside_of(task_.force)) : splat::Status();
  }

  Outcome open(MeshInput& input) {
    auto read = read_splat_input(task_.splats, task_.device.threads);
    if (!read) return bad_input(read.error());
    for (const std::string& warning : read->file.warnings) splat::log::warning(warning);
    if (read->file.gaussians.size() == 0) return bad_input(fmt::format("'{}' holds no splats", task_.splats.string()));
    input.name = task_.splats.string();
    input.look = as_trained(task_.look, task_.low_pass_given, read->file.filter());
    const auto up = known_up(read->file, read->path);
    if (up) input.up = up->direction;
    input.to_metres = read->file.frame.to_metres();
    input.splats = std::move(read->file.gaussians);
    if (task_.data.empty()) return done();
    if (Outcome outcome = open_dataset(task_.data, task_.dataset, input.dataset); !outcome) return outcome;
    if (const auto status = check_drawing(host_memory(), most_pixels(input.dataset)); !status)
      return bad_input(fmt::format("'{}': {}", task_.data.string(), status.error().message));
    if (!up) input.up = input.dataset.view_up;
    return open_photos(input.dataset, {0, task_.device.threads, task_.look.background}, input.photos,
                       photos_for(monitor_));
  }

  void report() {
    monitor_.end();
    nlohmann::json summary{{"type", "summary"},
                           {"backend", backend_},
                           {"views", made_.views},
                           {"voxel", made_.voxel},
                           {"vertices", made_.mesh.positions.size()},
                           {"faces", made_.mesh.faces.size()},
                           {"open_edges", made_.defects.open_edges},
                           {"crowded_edges", made_.defects.non_manifold_edges},
                           {"degenerate_faces", made_.defects.degenerate_faces},
                           {"volume", made_.defects.volume},
                           {"predicted_bytes", monitor_.prediction().memory_bytes},
                           {"peak_rss_bytes", peak_rss_bytes()},
                           {"predicted_seconds", monitor_.prediction().seconds},
                           {"seconds", monitor_.seconds()},
                           {"output", task_.output.string()}};
    if (!made_.texture.pixels.empty())
      summary.update({{"texture", made_.texture.width}, {"charts", made_.charts}, {"texture_filled", made_.filled}});
    if (made_.held_out_covered > 0)
      summary.update({{"held_out_psnr", made_.held_out_psnr}, {"held_out_covered", made_.held_out_covered}});
    for (const auto& [name, seconds] : monitor_.finished()) summary["stages"][name] = seconds;
    monitor_.result(summary, text());
  }

  std::string text() const {
    std::string text = fmt::format("{} faces, {} vertices in {} ({}, voxels of {:.4g})\n", made_.mesh.faces.size(),
                                   made_.mesh.positions.size(), splat::printable(task_.output.string()),
                                   splat::counted(made_.views, "view"), made_.voxel);
    const size_t open = made_.defects.open_edges;
    text +=
        fmt::format("{}; {} left out, {} closed\n", open == 0 ? "closed" : "open along " + splat::counted(open, "edge"),
                    splat::counted(made_.dropped, "small part"), splat::counted(made_.closed, "hole"));
    if (!made_.texture.pixels.empty())
      text += fmt::format("texture of {0}x{0}, {1:.0f} % of it on the surface, in {2} pieces\n", made_.texture.width,
                          100 * made_.filled, made_.charts);
    if (made_.held_out_covered > 0)
      text += fmt::format("held out  PSNR {:.2f} dB where the mesh covers the photos, {:.1f} % of them\n",
                          made_.held_out_psnr, 100 * made_.held_out_covered);
    return text;
  }

  const MeshTask& task_;
  StageTimes monitor_;
  std::string backend_;
  MadeMesh made_;
};

}  // namespace

Outcome run_mesh(const MeshTask& task, Monitor& monitor) { return MeshRun(task, monitor).run(); }

}  // namespace app
