#include "app/settings/blocks.h"

#include <fmt/format.h>

#include "app/settings/options.h"

namespace app {

using splat::Error;
using splat::Status;

namespace {

constexpr BlocksAction kActions[] = {BlocksAction::kPlan, BlocksAction::kTrain, BlocksAction::kMerge,
                                     BlocksAction::kAll, BlocksAction::kStatus};
constexpr int kMostBlocks = 10'000;
constexpr double kMostMemory = 1e15;  // bytes
const char* const kBlocksGroup = "Blocks";

// What may be chosen for each job; all else is in the plan.
Status check_not_of_the_plan(const Options& options) {
  for (const std::string& name : options.typed) {
    const bool merges = options.blocks.action == BlocksAction::kMerge,
               all = options.blocks.action == BlocksAction::kAll;
    bool good = (name == "output" && merges) || (name == "survey" && (merges || all));
    for (const char* own : {"blocks", "backend", "device", "deterministic", "threads", "json", "quiet"})
      good = good || name == own;
    if (!good)
      return Error{
          fmt::format("--{} does not apply to blocks {}: what blocks are trained with is chosen by "
                      "blocks plan",
                      name, name_of(options.blocks.action))};
  }
  return {};
}

OptionRow memory_row(uint64_t& memory) {
  OptionRow row{
      kBlocksGroup,
      "",
      "block-memory",
      "SIZE",
      "memory that one block may need, such as 8G or 500M: the plan has as many blocks as that takes (default: "
      "in the window what the device has, else no limit)",
      kBlocks};
  row.in_config = false;
  row.hint = "automatic", row.usual = "0";
  row.set = [&memory](const std::string& text) -> Status {
    const std::optional<uint64_t> bytes = text == "0" ? 0 : parse_bytes(text);
    if (!bytes) return Error{fmt::format("--block-memory needs a size such as 8G or 500M, not '{}'", text)};
    memory = *bytes;
    return {};
  };
  row.get = [&memory] { return memory == 0 ? nlohmann::json() : nlohmann::json(size_text(memory)); };
  return labelled(std::move(row), "Memory a block");
}

}  // namespace

const char* name_of(BlocksAction action) {
  switch (action) {
    case BlocksAction::kPlan:
      return "plan";
    case BlocksAction::kTrain:
      return "train";
    case BlocksAction::kMerge:
      return "merge";
    case BlocksAction::kAll:
      return "all";
    case BlocksAction::kStatus:
      return "status";
  }
  return "unknown";
}

std::vector<std::string> blocks_actions() {
  std::vector<std::string> names;
  for (const BlocksAction action : kActions) names.emplace_back(name_of(action));
  return names;
}

Status parse_blocks_action(const std::string& text, BlocksAction& action) {
  for (const BlocksAction known : kActions)
    if (text == name_of(known)) return action = known, Status();
  return Error{fmt::format("blocks takes plan, train, merge, all or status, not '{}'", text)};
}

std::optional<uint64_t> parse_bytes(const std::string& text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto value = parse_number(text.substr(0, digits));
  std::string unit = text.substr(digits);
  if (unit.size() > 1 && unit.ends_with('B')) unit.pop_back();
  const double factor = unit.empty()  ? 1
                        : unit == "K" ? 1e3
                        : unit == "M" ? 1e6
                        : unit == "G" ? 1e9
                        : unit == "T" ? 1e12
                                      : 0;
  if (!value || !(*value * factor >= 1) || *value * factor > kMostMemory) return std::nullopt;
  return uint64_t(*value * factor);
}

std::string size_text(uint64_t bytes) {
  constexpr std::pair<uint64_t, char> kUnits[] = {{1'000'000'000, 'G'}, {1'000'000, 'M'}};
  for (const auto& [unit, letter] : kUnits)
    if (bytes >= unit && bytes % unit == 0) return fmt::format("{}{}", bytes / unit, letter);
  return fmt::format("{}", bytes);
}

void add_blocks_rows(std::vector<OptionRow>& rows, BlocksSettings& settings) {
  const auto add = [&](const char* name, const char* help, int* target, int least, int most) {
    OptionRow row = integer_row({kBlocksGroup, "", name, "N", help, kBlocks}, target, least, most);
    row.in_config = false;
    rows.push_back(std::move(row));
  };
  add("block-count", "of blocks plan: how many blocks; 0: as --block-cameras has it", &settings.count, 0, kMostBlocks);
  add("block-cameras", "of blocks plan: cameras that stand in a block, at most", &settings.cameras, 1, 1'000'000);
  rows.push_back(memory_row(settings.memory));
  add("scaffold-iterations",
      "of blocks plan: length of the coarse training of the whole; 0: as a block's, at most 7000",
      &settings.scaffold_iterations, 0, 10'000'000);
}

Status settle_blocks(Options& options, std::vector<std::string>& words) {
  BlocksOptions& blocks = options.blocks;
  const bool plan = blocks.action == BlocksAction::kPlan, train = blocks.action == BlocksAction::kTrain;
  if (words.size() < (train ? 2u : 1u))
    return Error{plan    ? "blocks plan needs a dataset: hipsplat blocks plan DATASET -o CITY"
                 : train ? "blocks train needs a city and the number of a block: hipsplat blocks train CITY 0"
                         : fmt::format("blocks {0} needs a city: hipsplat blocks {0} CITY", name_of(blocks.action))};
  options.input = words[0];
  if (plan && options.convert.survey)
    return Error{"--survey applies to what is written at the end: give it to blocks merge or all"};
  if (plan && blocks.count > 0 && blocks.memory > 0)
    return Error{"--block-count and --block-memory both decide how many blocks there are: leave out one"};
  if (plan && options.output.empty()) return Error{"blocks plan needs -o CITY: the folder for the plan and its blocks"};
  if (train) {
    const auto block = parse_integer(words[1]);
    if (!block || *block < 0 || *block >= kMostBlocks)
      return Error{fmt::format("blocks train needs the number of a block, from 0, not '{}'", words[1])};
    blocks.block = int(*block);
  }
  words.erase(words.begin(), words.begin() + (train ? 2 : 1));
  return plan ? Status() : check_not_of_the_plan(options);
}

}  // namespace app
