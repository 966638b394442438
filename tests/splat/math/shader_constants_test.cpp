// The shaders are twins of splat/math in another language: their constants must be its constants.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "splat/math/constants.h"
#include "splat/math/sh.h"
#include "tests/support/test_paths.h"

namespace splat::math {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, double> kOfTheEngine{
    {"kAlphaMin", kAlphaMin},
    {"kAlphaMax", kAlphaMax},
    {"kDeterminantMin", kDeterminantMin},
    {"kDeterminantMax", kDeterminantMax},
    {"kMaxMeanPx", kMaxMeanPx},
    {"kTransmittanceStop", kTransmittanceStop},
    {"kJacobianMargin", kJacobianMargin},
    {"kMaxFinite", kMaxFinite},
    {"kQuatNormMin", kQuatNormMin},
    {"kSh0", kSh0},
};
const double kOfSh[] = {kSh0, kSh1, kSh2Xy, kSh2Zz, kSh2Xx, kSh3Yxx, kSh3Xyz, kSh3Yzz, kSh3Zzz, kSh3Zxx};

std::map<std::string, std::string> shaders() {
  std::map<std::string, std::string> texts;
  for (const auto& entry : fs::directory_iterator(test_paths::source() / "shaders")) {
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    texts[entry.path().filename().string()] = text.str();
  }
  return texts;
}

// "0.01", "1.0 / 255.0"
double value_of(const std::string& expression) {
  const size_t slash = expression.find('/');
  const double first = std::stod(expression);
  return slash == std::string::npos ? first : first / std::stod(expression.substr(slash + 1));
}

TEST(ShaderConstants, NamedOnesAreTheEngines) {
  const std::regex definition("const float (k\\w+) = ([^;]+);");
  std::set<std::string> seen;
  for (const auto& [file, text] : shaders())
    for (std::sregex_iterator at(text.begin(), text.end(), definition), end; at != end; ++at) {
      const auto constant = kOfTheEngine.find((*at)[1]);
      if (constant == kOfTheEngine.end()) continue;  // of the shader alone
      seen.insert(constant->first);
      EXPECT_EQ(value_of((*at)[2]), constant->second) << constant->first << " in " << file;
    }
  for (const char* name : {"kAlphaMin", "kAlphaMax", "kDeterminantMin", "kSh0"})
    EXPECT_TRUE(seen.contains(name)) << name;
}

// Numbers of many digits are those of the harmonics, each of which is there.
TEST(ShaderConstants, HarmonicsAreTheEngines) {
  const std::regex digits("\\d\\.\\d{8,}");
  const std::string text = shaders().at("splats.vert");
  std::set<double> seen;
  for (std::sregex_iterator at(text.begin(), text.end(), digits), end; at != end; ++at) {
    const double value = std::stod(at->str());
    seen.insert(value);
    EXPECT_NE(std::find(std::begin(kOfSh), std::end(kOfSh), value), std::end(kOfSh)) << at->str();
  }
  EXPECT_EQ(seen, std::set<double>(std::begin(kOfSh), std::end(kOfSh)));
}

}  // namespace
}  // namespace splat::math
