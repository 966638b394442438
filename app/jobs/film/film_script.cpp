#include "app/jobs/film/film_script.h"

#include <fmt/format.h>

#include "app/jobs/film/film_target.h"
#include "app/jobs/memory_plan.h"
#include "app/jobs/slurm_script.h"
#include "io/atomic_file.h"

namespace app {

namespace fs = std::filesystem;

namespace {

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// As typed, but for --slurm itself.
std::string command_line(const std::vector<std::string>& words) {
  std::string line = "\"${HIPSPLAT:-hipsplat}\"";
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--slurm")
      ++i;
    else if (!words[i].starts_with("--slurm="))
      line += " " + quoted(words[i]);
  }
  return line;
}

// With a tenth to spare; ffmpeg runs beside.
uint64_t memory_mb(const RenderTask& task, size_t splats, const FilmPlan& plan) {
  const uint64_t pixels = uint64_t(plan.width) * uint64_t(plan.height);
  const uint64_t encoder = is_film_name(task.output) ? encoder_bytes(task.output, pixels) : 0;
  return (kBaseBytes + splats * kBytesPerSplatAtStart + pixels * kBytesPerFilmPixel + encoder) / 10 * 11 / 1'000'000 +
         1;
}

}  // namespace

std::string film_script(const RenderTask& task, int tasks, size_t splats, const FilmPlan& plan) {
  std::error_code code;
  const std::string command = command_line(task.words);
  return "#!/bin/sh\n"
         "# Run by hand it queues a film in parts, and what joins them once all are done. HIPSPLAT names the program\n"
         "# where it is not in the PATH of the nodes. Words given to this script go to the array: --partition=gpu.\n"
         "# A part that is interrupted or killed goes on where it was. Change the lines below to what the cluster "
         "has.\n" +
         slurm_task_lines("--job-name=hipsplat-film", memory_mb(task, splats, plan)) +
         fmt::format(
             "\n"
             "film() {{\n"
             "  cd {} || exit 1\n"
             "  exec {} --quiet \"$@\"\n"
             "}}\n"
             "if [ \"${{1:-}}\" = join ]; then film; fi\n"
             "if [ \"${{1:-}}\" != task ]; then\n"
             "  set -e\n"
             "  tasks=$(sbatch --parsable --array=0-{} \"$@\" \"$0\" task)\n"
             "  join=$(sbatch --parsable --dependency=\"afterok:${{tasks%%;*}}\" \"$0\" join)\n"
             "  echo \"tasks $tasks, join $join\"\n"
             "  exit 0\n"
             "fi\n",
             quoted(fs::current_path(code).string()), command, tasks - 1) +
         slurm_task(
             fmt::format("film --task \"$SLURM_ARRAY_TASK_ID/{}\" --threads \"${{SLURM_CPUS_PER_TASK:-1}}\"", tasks));
}

splat::Status write_film_script(const fs::path& file, const RenderTask& task, int tasks, size_t splats,
                                const FilmPlan& plan) {
  SPLAT_TRY(io::write_file_atomically(file, film_script(task, tasks, splats, plan)));
  std::error_code code;
  fs::permissions(file, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec, fs::perm_options::add,
                  code);
  return {};
}

}  // namespace app
