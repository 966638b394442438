#include "app/jobs/blocks/block_state.h"

#include <fmt/format.h>

#include "app/jobs/input/run_folder.h"
#include "app/jobs/output_lock.h"
#include "app/jobs/training/run_record.h"
#include "io/atomic_file.h"
#include "io/bytes.h"
#include "io/json.h"

namespace app {

namespace fs = std::filesystem;
using nlohmann::json;
using splat::Error;
using splat::Result;
using splat::Status;
using Stage = BlockState::Stage;

namespace {

fs::path file_of(const City& city, size_t block) { return city.block_folder(block) / "block.json"; }

BlockState from_json(const json& object) {
  BlockState state;
  const std::string stage = object.at("state");
  for (const Stage s : {Stage::kWaiting, Stage::kRunning, Stage::kStopped, Stage::kFailed, Stage::kDone})
    if (stage == name_of(s)) state.stage = s;
  object.at("plan").get_to(state.plan);
  object.at("why").get_to(state.why);
  state.iteration = io::whole_number<int>(object.at("iteration"), 0);
  state.iterations = io::whole_number<int>(object.at("iterations"), 0);
  state.splats = io::whole_number<uint64_t>(object.at("splats"));
  state.peak_rss_bytes = io::whole_number<uint64_t>(object.at("peak_rss_bytes"));
  object.at("seconds").get_to(state.seconds);
  if (!object.at("psnr").is_null()) state.psnr = object.at("psnr").get<double>();
  object.at("splat_file").get_to(state.splat_file);
  return state;
}

Error damaged(const fs::path& file) {
  return Error{fmt::format("'{}' is damaged: remove its folder, and the block is trained anew", file.string())};
}

// A name from a file leads nowhere else.
bool lies_below(const fs::path& name) {
  const fs::path plain = name.lexically_normal();
  return !plain.empty() && plain.is_relative() && plain != "." && *plain.begin() != "..";
}

Error foreign(const fs::path& folder) {
  return Error{fmt::format("'{}' holds a run that does not belong to this plan: remove that folder", folder.string())};
}

}  // namespace

const char* name_of(Stage stage) {
  switch (stage) {
    case Stage::kWaiting:
      return "waiting";
    case Stage::kRunning:
      return "running";
    case Stage::kStopped:
      return "stopped";
    case Stage::kFailed:
      return "failed";
    case Stage::kDone:
      return "done";
  }
  return "unknown";
}

json to_json(const BlockState& state) {
  return {{"state", name_of(state.stage)},
          {"plan", state.plan},
          {"why", state.why},
          {"iteration", state.iteration},
          {"iterations", state.iterations},
          {"splats", state.splats},
          {"peak_rss_bytes", state.peak_rss_bytes},
          {"seconds", state.seconds},
          {"psnr", state.psnr ? json(*state.psnr) : json()},
          {"splat_file", state.splat_file}};
}

Result<BlockState> read_block(const City& city, size_t block) {
  const fs::path folder = city.block_folder(block), file = file_of(city, block);
  std::error_code code;
  BlockState state;
  state.plan = city.stamp;
  state.iterations = city.blocks[block].iterations;
  if (!fs::exists(file, code)) {
    if (!newest_result(folder).empty()) return foreign(folder);
    return state;
  }
  SPLAT_ASSIGN_OR_RETURN(const std::string text, io::read_file(file));
  SPLAT_ASSIGN_OR_RETURN(const json object, io::parse_json(text, file.string()));
  BlockState stored;
  try {
    stored = from_json(object);
  } catch (const json::exception&) {
    return damaged(file);
  }
  if (stored.plan != state.plan) return foreign(folder);
  if (stored.stage == Stage::kDone && !lies_below(stored.splat_file)) return damaged(file);
  if (stored.stage == Stage::kDone && !fs::is_regular_file(folder / stored.splat_file, code)) {
    state.stage = Stage::kFailed;
    state.why = "its splats are gone";
    return state;
  }
  if (stored.stage == Stage::kRunning && !OutputLock::held(folder / kLockName)) stored.stage = Stage::kStopped;
  return stored;
}

std::vector<BlockState> read_blocks(const City& city) {
  std::vector<BlockState> blocks;
  for (size_t k = 0; k < city.blocks.size(); ++k) {
    auto state = read_block(city, k);
    if (state) {
      blocks.push_back(std::move(*state));
      continue;
    }
    BlockState& broken = blocks.emplace_back();
    broken.stage = Stage::kFailed;
    broken.iterations = city.blocks[k].iterations;
    broken.why = state.error().message;
  }
  return blocks;
}

Status write_block(const City& city, size_t block, const BlockState& state) {
  return io::write_file_atomically(file_of(city, block), json_text(to_json(state)));
}

}  // namespace app
