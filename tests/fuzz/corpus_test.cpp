// Runs every stored input, among them all that ever broke a reader, through its reader; and cuts and bends each a
// little.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "io/bytes.h"
#include "splat/core/random.h"
#include "tests/fuzz/targets.h"
#include "tests/support/test_paths.h"

namespace io::fuzz {
namespace {

namespace fs = std::filesystem;

const fs::path kCorpus = test_paths::source() / "tests/fuzz/corpus";

std::vector<std::string> inputs_of(const Target& target, const fs::path& corpus = kCorpus) {
  std::vector<std::string> inputs;
  std::error_code code;
  for (fs::directory_iterator it(corpus / target.name, code), end; !code && it != end; it.increment(code))
    inputs.push_back(*read_file(it->path()));
  return inputs;
}

TEST(FuzzCorpus, EveryTargetHasInputsAndSurvivesThem) {
  for (const Target& target : targets()) {
    const std::vector<std::string> inputs = inputs_of(target);
    EXPECT_GE(inputs.size(), 2u) << target.name;
    for (const std::string& input : inputs) target.run(input);
  }
}

TEST(FuzzCorpus, WhatFuzzingReachedIsSurvived) {
  for (const Target& target : targets()) {
    const std::vector<std::string> inputs = inputs_of(target, HIPSPLAT_MINIMISED);
    EXPECT_GE(inputs.size(), 20u) << target.name;
    for (const std::string& input : inputs) target.run(input);
  }
}

TEST(FuzzCorpus, EveryFolderBelongsToATarget) {
  for (const auto& entry : fs::directory_iterator(kCorpus))
    EXPECT_TRUE(std::any_of(targets().begin(), targets().end(), [&](const Target& target) {
      return entry.path().filename() == target.name;
    })) << entry.path();
}

TEST(FuzzCorpus, MutationsOfTheInputsAreSurvived) {
  splat::random::Sequence random(1, splat::random::kTest);
  for (const Target& target : targets())
    for (const std::string& input : inputs_of(target))
      for (int round = 0; round < 20; ++round) {
        std::string mutant = input.substr(0, random.below(uint32_t(input.size() + 1)));
        for (uint32_t flips = random.below(4); flips > 0 && !mutant.empty(); --flips)
          mutant[random.below(uint32_t(mutant.size()))] = char(random.below(256));
        target.run(mutant);
      }
}

}  // namespace
}  // namespace io::fuzz
