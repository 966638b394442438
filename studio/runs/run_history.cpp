#include "studio/runs/run_history.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "app/jobs/host/small_file.h"
#include "app/jobs/input/run_folder.h"
#include "app/jobs/output_lock.h"
#include "app/jobs/training/inria_layout.h"
#include "app/jobs/training/run_output.h"
#include "app/jobs/training/training_seconds.h"
#include "app/settings/options.h"
#include "io/checkpoint.h"
#include "splat/train/config.h"
#include "splat/train/trainer_state.h"

namespace studio {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

constexpr uintmax_t kMostBytesOfFile = 64 << 20;  // of metrics.json: a long run's has some MB
constexpr size_t kMostBeside = 5000;              // entries of the folder that the dataset lies in
constexpr size_t kMostRuns = 200;                 // newest first
constexpr size_t kMostEntries = 100'000;          // of a history
// Settings that say where, not how.
constexpr std::string_view kPlaces[] = {"output", "input", "dataset", "resume", "quiet", "json", "threads"};

json read_object(const fs::path& file) {
  const auto text = read_small_file(file, kMostBytesOfFile);
  json read = text ? json::parse(*text, nullptr, false) : json();
  return read.is_object() ? read : json();
}

template <class Number>
std::optional<Number> number_of(const json& object, const char* name) {
  if (!object.is_object() || !object.contains(name) || !object[name].is_number()) return std::nullopt;
  const double value = object[name].get<double>();
  if (!(std::abs(value) < 1e15)) return std::nullopt;
  return Number(value);
}

std::vector<splat::HistoryEntry> history_of(const json& metrics) {
  std::vector<splat::HistoryEntry> history;
  if (!metrics.is_object() || !metrics.contains("history") || !metrics["history"].is_array()) return history;
  for (const json& one : metrics["history"]) {
    const auto iteration = number_of<int>(one, "iteration");
    if (!iteration || *iteration < 0 || history.size() == kMostEntries) continue;
    splat::HistoryEntry entry;
    entry.iteration = *iteration;
    entry.loss = number_of<double>(one, "loss").value_or(0);
    entry.splats = uint64_t(std::max(number_of<double>(one, "splats").value_or(0), 0.0));
    const auto psnr = number_of<double>(one, "psnr");
    entry.evaluated = psnr.has_value();
    entry.psnr = psnr.value_or(0);
    entry.ssim = number_of<double>(one, "ssim").value_or(0);
    history.push_back(entry);
  }
  return history;
}

bool same_place(const fs::path& a, const fs::path& b) {
  std::error_code code;
  return !a.empty() && fs::weakly_canonical(a, code) == fs::weakly_canonical(b, code);
}

// What the run in a folder was trained on; none: there is no run.
std::optional<fs::path> dataset_of(const fs::path& folder) {
  constexpr uintmax_t kMostBytesOfArgs = 1 << 20;
  const auto text = read_small_file(folder / "cfg_args", kMostBytesOfArgs);
  const auto args = text ? parse_cfg_args(*text) : std::nullopt;
  return args ? std::optional(args->source) : std::nullopt;
}

// A dataset may be named by its folder or by a file in it.
bool is_of(const fs::path& trained_on, const fs::path& dataset) {
  return same_place(trained_on, dataset) || same_place(trained_on.parent_path(), dataset);
}

int64_t seconds_of(const fs::path& file) {
  std::error_code code;
  const auto time = fs::last_write_time(file, code);
  if (code) return 0;
  return std::chrono::duration_cast<std::chrono::seconds>(fs::file_time_type::clock::to_sys(time).time_since_epoch())
      .count();
}

struct FoundRun {
  PastRun run;
  json settings;
};

// A run that has not come to its end since then has no newer ones.
void take_figures_of(const fs::path& checkpoint, PastRun& run) {
  auto file = io::CheckpointFile::skim(checkpoint);
  if (!file) return;  // it is said when the run is to go on
  auto history = splat::load_history(file->archive());
  run.iterations = iteration_of_checkpoint(checkpoint);
  run.seconds = seconds_at(checkpoint);
  if (const auto count = file->archive().get<uint64_t>("model/count")) run.splats = *count;
  run.psnr = run.ssim = std::nullopt;
  if (history) run.history = std::move(*history);
  for (const splat::HistoryEntry& entry : run.history)
    if (entry.evaluated) run.psnr = entry.psnr, run.ssim = entry.ssim;
}

std::optional<Continuation> stopped_run(const fs::path& folder, const fs::path& checkpoint, const json& settings) {
  const int reached = iteration_of_checkpoint(checkpoint);
  const auto wanted = number_of<int>(settings, "iterations");
  if (reached < 0 || !wanted || reached >= *wanted) return std::nullopt;
  const auto output = RunOutput::check(folder);
  if (!output || !output->check_free()) return std::nullopt;
  return Continuation{checkpoint, folder, reached, *wanted};
}

// The lock says nothing of a run of this process.
PastRunState state_of(const PastRun& run) {
  if (!OutputLock::check(run.folder / kLockName)) return PastRunState::kTrains;
  if (run.stopped) return PastRunState::kStopped;
  return run.iterations || !run.file.empty() ? PastRunState::kDone : PastRunState::kNoResult;
}

FoundRun run_in(const fs::path& folder, const fs::path& dataset) {
  FoundRun found{{}, read_object(folder / "config.json")};
  PastRun& run = found.run;
  run.folder = folder, run.dataset = dataset;
  run.file = newest_result(folder);
  const json metrics = read_object(folder / "metrics.json");
  run.written = std::max(seconds_of(folder / "metrics.json"), seconds_of(run.file));
  run.iterations = number_of<int>(metrics, "iterations");
  run.seconds = std::max(number_of<double>(metrics, "seconds").value_or(0), 0.0);
  run.splats = uint64_t(std::max(number_of<double>(metrics, "splats").value_or(0), 0.0));
  run.psnr = number_of<double>(metrics, "psnr");
  run.ssim = number_of<double>(metrics, "ssim");
  run.history = history_of(metrics);
  const fs::path checkpoint = newest_checkpoint(folder);
  if (iteration_of_checkpoint(checkpoint) > run.iterations.value_or(-1)) take_figures_of(checkpoint, run);
  run.stopped = stopped_run(folder, checkpoint, found.settings);
  run.state = state_of(run);
  run.written = std::max({run.written, seconds_of(checkpoint), seconds_of(folder / "config.json")});
  return found;
}

std::string text_of(const json& settings, const std::string& name) {
  if (!settings.is_object() || !settings.contains(name)) return "";
  const json& value = settings[name];
  return value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// What stands in config.json of a run of this length that asks for nothing else.
json usual_settings(const json& settings) {
  Options usual;
  usual.train.iterations =
      std::clamp(number_of<int>(settings, "iterations").value_or(usual.train.iterations), 1, 1 << 30);
  usual.train = splat::resolve_config(usual.train);
  return settings_json(usual);
}

// Not what follows from the length alone.
std::set<std::string> unusual_settings(const json& settings) {
  std::set<std::string> names;
  if (!settings.is_object()) return names;
  const json usual = usual_settings(settings);
  for (const auto& [name, value] : settings.items())
    if (!usual.contains(name) || usual[name] != value) names.insert(name);
  for (const std::string_view place : kPlaces) names.erase(std::string(place));
  return names;
}

void note_differences(std::vector<FoundRun>& found) {
  std::set<std::string> names{"iterations"};
  for (const FoundRun& one : found) names.merge(unusual_settings(one.settings));
  for (const std::string& name : names) {
    std::set<std::string> values;
    for (const FoundRun& one : found)
      if (one.settings.is_object()) values.insert(text_of(one.settings, name));
    if (values.size() < 2) continue;
    for (FoundRun& one : found)
      if (one.settings.is_object()) one.run.differs[name] = text_of(one.settings, name);
  }
}

void add_beside(const fs::path& dataset, std::set<fs::path>& folders) {
  std::error_code code;
  const fs::path canonical = fs::weakly_canonical(dataset, code);
  size_t seen = 0;
  for (fs::directory_iterator at(canonical.parent_path(), code), end; !code && at != end && seen < kMostBeside;
       at.increment(code), ++seen)
    if (std::error_code of_entry; at->is_directory(of_entry)) folders.insert(at->path());
}

std::set<fs::path> folders_of(const fs::path& dataset, const WhereRunsAre& where) {
  std::set<fs::path> folders;
  std::error_code code;
  for (const fs::path& path : where.recent) {
    const fs::path folder = fs::is_directory(path, code) ? path : run_folder_of(path);
    if (folder.empty()) continue;
    folders.insert(fs::weakly_canonical(folder, code));
    add_beside(folder, folders);  // its other runs lie there, too
  }
  for (const fs::path& run : where.known) folders.insert(fs::weakly_canonical(run, code));
  if (!dataset.empty()) add_beside(dataset, folders);
  return folders;
}

// Runs are the newest first.
void note_places(std::span<const fs::path> recent, RunHistory& history) {
  std::error_code code;
  std::vector<fs::path> datasets;
  for (const PastRun& run : history.runs) datasets.push_back(fs::weakly_canonical(run.dataset, code));
  for (const fs::path& path : recent) {
    const fs::path place = fs::weakly_canonical(path, code), run_there = run_folder_of(place);
    for (size_t i = 0; i < history.runs.size(); ++i) {
      const fs::path& folder = history.runs[i].folder;
      if (place != folder && run_there != folder && place != datasets[i] && place != datasets[i].parent_path())
        continue;
      history.newest_there.emplace(path.string(), i);
      break;
    }
  }
}

}  // namespace

std::optional<PastRun> run_in_folder(const fs::path& folder) {
  const auto dataset = dataset_of(folder);
  if (!dataset) return std::nullopt;
  FoundRun found = run_in(folder, *dataset);
  for (const std::string& name : unusual_settings(found.settings))
    found.run.differs[name] = text_of(found.settings, name);
  return std::move(found.run);
}

RunHistory run_history_of(const fs::path& dataset, const WhereRunsAre& where) {
  std::vector<FoundRun> found;
  for (const fs::path& folder : folders_of(dataset, where)) {
    const auto trained_on = dataset_of(folder);
    if (!trained_on || (!dataset.empty() && !is_of(*trained_on, dataset))) continue;
    FoundRun one = run_in(folder, *trained_on);
    if (same_place(where.trains, folder)) one.run.state = PastRunState::kTrains, one.run.stopped.reset();
    if (one.run.iterations || !one.run.file.empty() || one.settings.is_object()) found.push_back(std::move(one));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const FoundRun& a, const FoundRun& b) { return a.run.written > b.run.written; });
  if (found.size() > kMostRuns) found.resize(kMostRuns);
  note_differences(found);
  RunHistory history{dataset, {}, {}, dataset.empty()};
  for (FoundRun& one : found) history.runs.push_back(std::move(one.run));
  note_places(where.recent, history);
  return history;
}

}  // namespace studio
