// Settings out of JSON are those of the same words.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "app/settings/options.h"

namespace app {
namespace {

using nlohmann::json;

struct Same {
  Verb verb;
  json settings;
  std::vector<std::string> words;
};

TEST(JobSettings, AreThoseOfTheSameWords) {
  const std::vector<Same> all{
      {kTrain,
       {{"input", "scene/"}, {"output", "out/"}, {"iterations", 7000}, {"eval", true}, {"surface", false}},
       {"--train", "scene/", "-o", "out/", "-i", "7000", "--eval"}},
      {kTrain,
       {{"input", "scene"}, {"output", "out"}, {"test_every", 4}, {"save_at", {10, 20}}, {"minutes", 0.5}},
       {"--train", "scene", "-o", "out", "--test-every", "4", "--save-at", "10,20", "--minutes", "0.5"}},
      {kTrain,
       {{"input", "scene"}, {"output", "out"}, {"set", {"budget-dropout=0.1", "sh-degree-interval=500"}}, {"seed", 3}},
       {"--train", "scene", "-o", "out", "--seed", "3", "--set", "budget-dropout=0.1", "--set",
        "sh-degree-interval=500"}},
      {kTrain,
       {{"input", "scene"}, {"output", "out"}, {"background", {0.5, 0.25, 1}}, {"test-images", {"a.jpg", "b.jpg"}}},
       {"--train", "scene", "-o", "out", "--background", "0.5,0.25,1", "--test-images", "a.jpg,b.jpg"}},
      {kMesh,
       {{"input", "a.ply"}, {"output", "b.ply"}, {"faces", 100}, {"texture", "none"}, {"data", nullptr}},
       {"--mesh", "a.ply", "-o", "b.ply", "--faces", "100", "--texture", "none"}},
      {kConvert,
       {{"input", {"a.ply", "b.spz"}}, {"output", "c.sog"}, {"place", {"b.spz=scale 2"}}},
       {"--convert", "a.ply", "b.spz", "-o", "c.sog", "--place", "b.spz=scale 2"}},
      {kRender,
       {{"input", "a.ply"}, {"output", "film.mp4"}, {"path", "orbit"}, {"size", "64x48"}, {"range", "2:5"}},
       {"--render", "a.ply", "-o", "film.mp4", "--path", "orbit", "--size", "64x48", "--range", "2:5"}}};
  for (const Same& same : all) {
    Options typed, read;
    const Outcome wanted = parse_options(same.words, typed), found = read_job(same.verb, same.settings, read);
    ASSERT_TRUE(wanted.ok() && found.ok()) << wanted.sentence << found.sentence << same.settings;
    EXPECT_EQ(settings_json(read), settings_json(typed)) << same.settings;
    std::set<std::string> names = typed.typed;
    names.erase(same.words[0].substr(2));  // the command
    EXPECT_EQ(read.typed, names) << same.settings;
    EXPECT_EQ(read.verb, typed.verb);
    EXPECT_EQ(read.input, typed.input);
    EXPECT_EQ(read.output, typed.output);
    EXPECT_EQ(read.film, typed.film);
    EXPECT_EQ(read.minutes, typed.minutes);
    EXPECT_EQ(read.convert.placed.size(), typed.convert.placed.size());
    EXPECT_TRUE(same.verb != kConvert || read.convert.inputs == typed.convert.inputs);
  }
}

}  // namespace
}  // namespace app
