#include <fmt/format.h>

#include <filesystem>

#include "app/cli/commands/commands.h"
#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/stage_line.h"
#include "app/cli/terminal/standard_streams.h"
#include "app/jobs/host/host.h"
#include "app/jobs/input/known_up.h"
#include "app/jobs/input/splat_input.h"
#include "app/jobs/memory_plan.h"
#include "app/jobs/mesh/mesh_making.h"
#include "app/jobs/replaced_file.h"
#include "app/jobs/session.h"
#include "app/jobs/training/run_output.h"
#include "app/jobs/work_memory.h"
#include "io/atomic_file.h"
#include "io/meshes/mesh_file.h"
#include "splat/core/counted.h"
#include "splat/core/log.h"

namespace app {

namespace {

// On the terminal.
class WatchOnTerminal final : public MeshWatch {
 public:
  explicit WatchOnTerminal(const ConsoleOptions& console) : line_(choose_display(console.json, console.quiet)) {}

  void stage(const std::string& name) override { line_.begin(name); }
  void step(size_t done, size_t total) override { line_.step(done, total); }
  void predicted(uint64_t bytes, double seconds) override {
    const uint64_t held = rss_bytes();
    if (refused_ && bytes > held) refused_ = check_work("this mesh", bytes - held);
    if (bytes_ == 0) splat::log::info(fmt::format("memory: about {} at the most", human_bytes(bytes)));
    if (seconds > 0) splat::log::info(fmt::format("about {:.0f} s in all", seconds));
    bytes_ = bytes, seconds_ = seconds;
  }
  bool cancelled() override { return interrupted() || !refused_; }

  StageLine& line() { return line_; }
  uint64_t bytes() const { return bytes_; }
  const splat::Status& refused() const { return refused_; }  // an error: there is too little memory
  double seconds() const { return seconds_; }

 private:
  StageLine line_;
  uint64_t bytes_ = 0;
  double seconds_ = 0;
  splat::Status refused_;
};

class MeshRun {
 public:
  explicit MeshRun(const MeshTask& task) : task_(task), watch_(task.console) {}

  Outcome run() {
    install_interrupt_handlers("interrupted: nothing was written");
    const int side = texture_side(task_.choices, io::holds_texture(task_.output));
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
    const DepthPixels depths = pixels_of_depths(input);
    const uint64_t drawing =
        bytes_to_draw(chosen.backend->info(), input.splats, depths.most) + depths.all * sizeof(float);
    if (const auto status = check_work(fmt::format("drawing '{}'", task_.splats.string()), drawing); !status)
      return bad_input(status.error());
    const MeshSettings settings{task_.choices, side, task_.device.threads};
    if (Outcome outcome = make_mesh(std::move(input), settings, *chosen.backend, watch_, made_); !outcome) {
      if (!watch_.refused())
        return bad_input(watch_.refused().error().message +
                         "; a coarser --mesh-detail or a smaller --texture takes less");
      if (outcome.code == ExitCode::kInterrupted)
        outcome.sentence = fmt::format("interrupted: nothing was written to '{}'", task_.output.string());
      return outcome;
    }
    watch_.line().begin("writing");
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
    input.region = task_.region;
    const auto up = known_up(read->file, read->path);
    if (up) input.up = up->direction;
    input.to_metres = read->file.frame.to_metres();
    input.splats = std::move(read->file.gaussians);
    if (task_.data.empty()) return done();
    if (Outcome outcome = open_dataset(task_.data, task_.dataset, input.dataset); !outcome) return outcome;
    if (const auto status = check_drawing(host_memory(), most_pixels(input.dataset)); !status)
      return bad_input(fmt::format("'{}': {}", task_.data.string(), status.error().message));
    if (!up) input.up = input.dataset.view_up;
    return open_photos(input.dataset, {0, task_.device.threads, task_.console, task_.look.background}, input.photos);
  }

  void report() {
    watch_.line().end();
    if (task_.console.json) {
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
                             {"predicted_bytes", watch_.bytes()},
                             {"peak_rss_bytes", peak_rss_bytes()},
                             {"predicted_seconds", watch_.seconds()},
                             {"seconds", watch_.line().seconds()},
                             {"output", task_.output.string()}};
      if (!made_.texture.pixels.empty())
        summary.update({{"texture", made_.texture.width}, {"charts", made_.charts}, {"texture_filled", made_.filled}});
      if (made_.held_out_covered > 0)
        summary.update({{"held_out_psnr", made_.held_out_psnr}, {"held_out_covered", made_.held_out_covered}});
      for (const auto& [name, seconds] : watch_.line().finished()) summary["stages"][name] = seconds;
      print_json(summary);
      return;
    }
    print("{} faces, {} vertices in {} ({}, voxels of {:.4g})\n", made_.mesh.faces.size(), made_.mesh.positions.size(),
          task_.output.string(), splat::counted(made_.views, "view"), made_.voxel);
    print("{}; {} left out, {} closed\n",
          made_.defects.open_edges == 0 ? "closed" : "open along " + splat::counted(made_.defects.open_edges, "edge"),
          splat::counted(made_.dropped, "small part"), splat::counted(made_.closed, "hole"));
    if (!made_.texture.pixels.empty())
      print("texture of {0}x{0}, {1:.0f} % of it on the surface, in {2} pieces\n", made_.texture.width,
            100 * made_.filled, made_.charts);
    if (made_.held_out_covered > 0)
      print("held out  PSNR {:.2f} dB where the mesh covers the photos, {:.1f} % of them\n", made_.held_out_psnr,
            100 * made_.held_out_covered);
  }

  const MeshTask& task_;
  WatchOnTerminal watch_;
  std::string backend_;
  MadeMesh made_;
};

}  // namespace

Outcome run_mesh(const MeshTask& task) { return MeshRun(task).run(); }

}  // namespace app
