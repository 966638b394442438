#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/terminal/interrupt.h"
#include "app/jobs/input/splat_input.h"
#include "app/jobs/replaced_file.h"
#include "app/jobs/scene/scene_picture.h"
#include "app/jobs/training/run_output.h"
#include "app/jobs/work_memory.h"
#include "io/atomic_file.h"
#include "io/image_file.h"

namespace app {

namespace fs = std::filesystem;

// On the processor: file managers run this in a sandbox without devices, many at a time.
Outcome run_thumbnail(const ThumbnailTask& task) {
  install_interrupt_handlers("interrupted; nothing was written");
  std::error_code code;
  const fs::path folder = fs::absolute(task.output, code).parent_path();
  if (!fs::is_directory(folder, code)) return bad_input(fmt::format("there is no folder '{}'", folder.string()));
  if (const auto status = check_writable_folder(folder); !status) return bad_input(status.error());
  if (const auto status = check_picture_name(task.output); !status) return bad_input(status.error());
  if (const auto status = check_replaceable(task.output, FileKind::kPicture, {.force = task.force}); !status)
    return bad_input(status.error());
  const auto input = read_splat_input(task.splats, task.threads);
  if (!input) return bad_input(input.error());
  if (const auto status =
          check_work(fmt::format("drawing '{}'", task.splats.string()),
                     bytes_to_draw({}, input->file.gaussians, 4 * uint64_t(task.side) * uint64_t(task.side)));
      !status)
    return bad_input(status.error());
  const auto picture = picture_of_splats(*input, task.side, task.threads);
  if (!picture) return bad_input(picture.error());
  const std::string png = io::encode_png(*picture);
  io::remove_dead_partial_files_of(task.output);
  if (const auto status = io::write_file_atomically(task.output, png); !status) return failed(status.error());
  return done();
}

}  // namespace app
