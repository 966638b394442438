#include "splat/train/trainer_state.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "splat/core/fnv1a.h"
#include "splat/model/gaussian_rows.h"
#include "splat/train/trainer.h"

namespace splat {
namespace {

constexpr size_t kHistoryFields = 6;  // doubles per entry in a checkpoint
constexpr const char* kModel = "model/";
constexpr const char* kFirst = "moments/first/";
constexpr const char* kSecond = "moments/second/";
constexpr const char* kLastStep = "moments/last_step";  // not in checkpoints of older versions, which stepped all rows
constexpr const char* kRates = "trainer/rates";         // likewise; those with last steps took today's for all before

// Calls visit(name, array, values of one row) for every array of a block: the one list of what a checkpoint holds.
template <class Model, class Moments, class Statistics, class Visitor>
void visit_block(Model& model, Moments& moments, Statistics& statistics, const Visitor& visit) {
  const auto part = [&](const char* prefix, auto& gaussians) {
    visit_arrays(gaussians, [&](const char* name, auto& values, size_t width) {
      visit(std::string(prefix) + name, values, width);
    });
  };
  part(kModel, model);
  part(kFirst, moments.first);
  part(kSecond, moments.second);
  visit(kLastStep, moments.last_step, size_t(1));
  visit("statistics/gradient", statistics.mean2d_gradient_norm, size_t(1));
  visit("statistics/visible", statistics.visible_count, size_t(1));
  visit("statistics/radius", statistics.max_radius_px, size_t(1));
}

template <class T>
constexpr size_t bytes_of(const std::vector<T>&) {
  return sizeof(T);
}

Error wrong_size(const std::string& name) { return Error{"the checkpoint's entry '" + name + "' has the wrong size"}; }

Status check_entry(const StateReader& state, const std::string& name, uint64_t bytes) {
  const auto stored = state.size_of(name);
  if (!stored) return Error{"the checkpoint lacks the entry '" + name + "'"};
  return *stored == bytes ? Status() : wrong_size(name);
}

bool is_missing(const StateReader& state, const std::string& name) { return name == kLastStep && !state.size_of(name); }

// Rows [first, first + count) of an array into `values`.
template <class T>
Status read_array(const StateReader& state, const std::string& name, std::vector<T>& values, uint64_t first,
                  uint64_t count, size_t width) {
  values.resize(size_t(count) * width);
  return state.read(name, first * width * sizeof(T), std::as_writable_bytes(std::span<T>(values)));
}

constexpr const char* kFingerprint = "dataset/fingerprint";
constexpr const char* kViews = "dataset/views";  // not in checkpoints of older versions

class Hash : public Fnv1a {
 public:
  template <class T>
  void add_array(const T* values, size_t count) {
    static_assert(std::is_arithmetic_v<T>);
    add({reinterpret_cast<const char*>(values), count * sizeof(T)});
  }
  template <class T>
  void add_value(T value) {
    add_array(&value, 1);
  }
};

void add_camera(const PinholeCamera& c, Hash& hash) {
  for (int size : {c.width, c.height}) hash.add_value(size);
  for (float value : {c.fx, c.fy, c.cx, c.cy}) hash.add_value(value);
}

void add_pose(const Rigid3& pose, Hash& hash) {
  hash.add_array(pose.rotation.data(), 9);
  hash.add_array(pose.translation.data(), 3);
}

struct ViewRecord {
  uint64_t camera = 0, pose = 0;  // hashes
  bool held_out = false;
};

ViewRecord record_of(const DatasetView& view) {
  Hash camera, pose;
  add_camera(view.camera, camera);
  add_pose(view.cam_from_world, pose);
  return {camera.value(), pose.value(), view.held_out};
}

// By name; empty where the checkpoint does not say.
std::map<std::string, ViewRecord> stored_views(const StateReader& state) {
  std::map<std::string, ViewRecord> views;
  std::string text(size_t(state.size_of(kViews).value_or(0)), '\0');
  if (text.empty() || !state.read(kViews, 0, std::as_writable_bytes(std::span(text)))) return views;
  std::istringstream lines(text);
  ViewRecord view;
  for (std::string name;
       lines >> view.camera >> view.pose >> view.held_out && lines.ignore() && std::getline(lines, name);)
    views.emplace(name, view);
  return views;
}

// "2 photos are missing: a, b"; nothing where there are none.
void tell(const std::vector<std::string>& names, const char* one, const char* many, std::string& text) {
  constexpr size_t kMostNames = 3;
  if (names.empty()) return;
  text += (text.empty() ? "" : "; ") + std::to_string(names.size()) + (names.size() == 1 ? one : many) + ": ";
  for (size_t i = 0; i < std::min(kMostNames, names.size()); ++i) text += (i ? ", " : "") + names[i];
  if (names.size() > kMostNames) text += " and " + std::to_string(names.size() - kMostNames) + " more";
}

// In what the views differ from those of the checkpoint; empty: in nothing that it tells.
std::string difference(const Dataset& dataset, std::map<std::string, ViewRecord> before) {
  std::vector<std::string> more, camera, pose, split, missing;
  for (const DatasetView& view : dataset.views) {
    const auto known = before.find(view.name);
    if (known == before.end()) {
      more.push_back(view.name);
      continue;
    }
    const ViewRecord now = record_of(view), then = known->second;
    before.erase(known);
    if (now.camera != then.camera) camera.push_back(view.name);
    if (now.pose != then.pose) pose.push_back(view.name);
    if (now.held_out != then.held_out) split.push_back(view.name);
  }
  for (const auto& [name, view] : before) missing.push_back(name);
  std::string text;
  tell(missing, " photo is missing", " photos are missing", text);
  tell(more, " photo is new", " photos are new", text);
  tell(camera, " photo has another size or camera", " photos have another size or camera", text);
  tell(pose, " photo has another pose", " photos have another pose", text);
  tell(split, " photo is held out in one of the two alone", " photos are held out in one of the two alone", text);
  return text;
}

}  // namespace

uint64_t dataset_fingerprint(const Dataset& dataset) {
  Hash hash;
  hash.add_value(uint64_t(dataset.views.size()));
  for (const DatasetView& view : dataset.views) {
    hash.add_value(uint64_t(view.name.size()));
    hash.add(view.name);
    add_camera(view.camera, hash);
    add_pose(view.cam_from_world, hash);
    hash.add_value(uint8_t(view.held_out));
  }
  hash.add_array(dataset.points.xyz.data(), dataset.points.xyz.size());
  hash.add_array(dataset.points.rgb.data(), dataset.points.rgb.size());
  return hash.value();
}

void save_dataset_record(const Dataset& dataset, Archive& archive) {
  archive.put(kFingerprint, dataset_fingerprint(dataset));
  std::ostringstream lines;
  for (const DatasetView& view : dataset.views) {
    const ViewRecord record = record_of(view);
    lines << record.camera << ' ' << record.pose << ' ' << record.held_out << ' ' << view.name << '\n';
  }
  archive.put_string(kViews, lines.str());
}

Status check_dataset_record(const Dataset& dataset, const StateReader& state) {
  SPLAT_ASSIGN_OR_RETURN(const uint64_t fingerprint, state.archive().get<uint64_t>(kFingerprint));
  if (fingerprint == dataset_fingerprint(dataset)) return {};
  const std::map<std::string, ViewRecord> before = stored_views(state);
  std::string what =
      before.empty() ? "views, cameras, poses, held-out views or points differ" : difference(dataset, before);
  if (what.empty()) what = "the 3D points or the order of the photos differ";
  return Error{"the checkpoint was made with other data than '" + dataset.root.string() + "' as it is read now (" +
               what + "): resume with the same dataset and the same image, resolution and hold-out options"};
}

BackendRows::BackendRows(Backend& backend, int sh_degree) : backend_(backend) {
  model_.sh_degree = moments_.first.sh_degree = moments_.second.sh_degree = sh_degree;
  visit_block(model_, moments_, statistics_, [&](const std::string& name, const auto& values, size_t width) {
    arrays_.push_back({name, width * bytes_of(values)});
  });
  block_.resize(arrays_.size());
}

std::span<const std::span<const std::byte>> BackendRows::read(uint64_t first, uint64_t count) {
  backend_.download_rows(size_t(first), size_t(count), model_);
  backend_.download_moment_rows(size_t(first), size_t(count), moments_);
  backend_.read_statistics_rows(size_t(first), size_t(count), statistics_);
  size_t next = 0;
  visit_block(model_, moments_, statistics_, [&](const std::string&, const auto& values, size_t) {
    block_[next++] = std::as_bytes(std::span(values));
  });
  return block_;
}

Result<StoredSize> stored_size(const StateReader& state) {
  SPLAT_ASSIGN_OR_RETURN(const uint64_t count, state.archive().get<uint64_t>("model/count"));
  SPLAT_ASSIGN_OR_RETURN(const int32_t sh_degree, state.archive().get<int32_t>("model/sh_degree"));
  if (count > UINT32_MAX || sh_degree < 0 || sh_degree > kMaxShDegree)
    return Error{"the checkpoint holds an impossible number of splats or SH degree"};
  Gaussians model;
  AdamMoments moments;
  DensifyStatistics statistics;
  model.sh_degree = moments.first.sh_degree = moments.second.sh_degree = sh_degree;
  Status status;
  visit_block(model, moments, statistics, [&](const std::string& name, const auto& values, size_t width) {
    if (status && !is_missing(state, name)) status = check_entry(state, name, count * width * bytes_of(values));
  });
  SPLAT_TRY(status);
  return StoredSize{count, sh_degree};
}

Status load_rows(const StateReader& state, const StoredSize& size, int iteration, Backend& backend) {
  Gaussians model;
  AdamMoments moments;
  DensifyStatistics statistics;
  model.sh_degree = moments.first.sh_degree = moments.second.sh_degree = size.sh_degree;
  const uint64_t block = rows_at_once(size.splats);
  for (uint64_t first = 0; first < size.splats; first += block) {
    const uint64_t count = std::min(block, size.splats - first);
    Status status;
    visit_block(model, moments, statistics, [&](const std::string& name, auto& values, size_t width) {
      if (status && !is_missing(state, name)) status = read_array(state, name, values, first, count, width);
    });
    SPLAT_TRY(status);
    if (is_missing(state, kLastStep)) moments.last_step.assign(size_t(count), uint32_t(iteration));
    backend.append_rows(model);
    backend.upload_moment_rows(size_t(first), moments);
    backend.write_statistics_rows(size_t(first), statistics);
  }
  return {};
}

void save_rates(const AdamHistory& history, int iteration, Archive& archive) {
  if (history.iteration != iteration) return;
  archive.put_array(kRates, std::span<const math::AdamValues>(history.rates));
}

Result<AdamHistory> load_rates(const Archive& archive, int iteration) {
  AdamHistory history{iteration, {}};
  if (!archive.blobs.contains(kRates)) return history;
  SPLAT_ASSIGN_OR_RETURN(history.rates, archive.get_array<math::AdamValues>(kRates));
  if (history.rates.size() > size_t(std::clamp(iteration, 0, int(math::kAdamPast)))) return wrong_size(kRates);
  for (const math::AdamValues& rates : history.rates)
    for (const float rate : rates.of)
      if (!(rate >= 0 && rate <= std::numeric_limits<float>::max()))
        return Error{std::string("the checkpoint's entry '") + kRates + "' holds impossible numbers"};
  return history;
}

Result<Gaussians> stored_model(const StateReader& state) {
  SPLAT_ASSIGN_OR_RETURN(const uint64_t count, state.archive().get<uint64_t>("model/count"));
  SPLAT_ASSIGN_OR_RETURN(const int32_t sh_degree, state.archive().get<int32_t>("model/sh_degree"));
  if (count > UINT32_MAX || sh_degree < 0 || sh_degree > kMaxShDegree)
    return Error{"the checkpoint holds an impossible number of splats or SH degree"};
  Gaussians model;
  model.sh_degree = sh_degree;
  Status status;
  visit_arrays(model, [&](const char* name, std::vector<float>& values, size_t width) {
    if (status) status = check_entry(state, std::string(kModel) + name, count * width * sizeof(float));
    if (status) status = read_array(state, std::string(kModel) + name, values, 0, count, width);
  });
  SPLAT_TRY(status);
  return model;
}

void save_history(const std::vector<HistoryEntry>& history, Archive& archive) {
  std::vector<std::array<double, kHistoryFields>> rows;
  for (const HistoryEntry& e : history)
    rows.push_back({double(e.iteration), e.loss, double(e.splats), e.evaluated ? 1.0 : 0.0, e.psnr, e.ssim});
  archive.put_array("trainer/history", std::span<const std::array<double, kHistoryFields>>(rows));
}

Result<std::vector<HistoryEntry>> load_history(const Archive& archive) {
  using Row = std::array<double, kHistoryFields>;
  SPLAT_ASSIGN_OR_RETURN(auto rows, archive.get_array<Row>("trainer/history"));
  std::vector<HistoryEntry> history;
  constexpr double kMost = 9e15;  // exact as double
  for (const Row& r : rows) {
    if (!(r[0] >= 0 && r[0] <= INT32_MAX && r[2] >= 0 && r[2] <= kMost))
      return Error{"the checkpoint's entry 'trainer/history' holds impossible numbers"};
    history.push_back({int(r[0]), r[1], uint64_t(r[2]), r[3] != 0, r[4], r[5]});
  }
  return history;
}

}  // namespace splat
