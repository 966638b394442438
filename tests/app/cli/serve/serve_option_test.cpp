// --serve [[ADDRESS:]PORT], alone or before an address, beside a file or a command.
#include <gtest/gtest.h>

#include "app/settings/options.h"

namespace app::test {
namespace {

Options parsed(const std::vector<std::string>& words) {
  Options options;
  const Outcome outcome = parse_options(words, options);
  EXPECT_TRUE(outcome.ok()) << outcome.sentence;
  return options;
}

std::string refused(const std::vector<std::string>& words) {
  Options options;
  const Outcome outcome = parse_options(words, options);
  EXPECT_EQ(outcome.code, ExitCode::kUsage);
  return outcome.sentence;
}

TEST(ServeOption, StandsAloneOrBeforeAnAddress) {
  EXPECT_FALSE(parsed({"scene.ply"}).serve.asked);
  for (const auto& words : {std::vector<std::string>{"--serve", "scene.ply"}, {"scene.ply", "--serve"}}) {
    const Options options = parsed(words);
    EXPECT_TRUE(options.serve.asked);
    EXPECT_EQ(options.serve.port, 0);
    EXPECT_EQ(options.serve.host, "127.0.0.1");
    EXPECT_EQ(options.input, "scene.ply");
    EXPECT_EQ(options.verb, kWindow);
  }
  for (const auto& words : {std::vector<std::string>{"--serve", "8080", "scene.ply"}, {"scene.ply", "--serve=8080"}})
    EXPECT_EQ(parsed(words).serve.port, 8080);
  const Options run = parsed({"train", "scene", "--serve", "-o", "out"});
  EXPECT_EQ(run.verb, kTrain);
  EXPECT_TRUE(run.serve.asked);
  EXPECT_EQ(run.input, "scene");
  EXPECT_EQ(run.output, "out");
}

TEST(ServeOption, AnotherAddressIsNamed) {
  const ServeChoice all = parsed({"a.ply", "--serve", "0.0.0.0:8080"}).serve;
  EXPECT_EQ(all.host, "0.0.0.0");
  EXPECT_EQ(all.port, 8080);
  EXPECT_FALSE(all.loopback());
  const ServeChoice six = parsed({"a.ply", "--serve", "[::1]:81"}).serve;
  EXPECT_EQ(six.host, "::1");
  EXPECT_EQ(six.port, 81);
  EXPECT_TRUE(six.loopback());
  EXPECT_TRUE(parsed({"a.ply", "--serve", "localhost:82"}).serve.loopback());
  EXPECT_FALSE(parsed({"a.ply", "--serve", "[::]:82"}).serve.loopback());
}

TEST(ServeOption, RefusesWhatIsNoAddress) {
  for (const char* wrong : {"0", "65536", "example.org:80", "127.0.0.1", "127.0.0.1:", ":80", "1.2.3:80"})
    EXPECT_NE(refused({"a.ply", std::string("--serve=") + wrong}).find("--serve is a port"), std::string::npos)
        << wrong;
  for (const char* wrong : {"0", "99999", "127.0.0.1:", "host:8080"})
    EXPECT_NE(refused({"a.ply", "--serve", wrong}).find("--serve is a port"), std::string::npos) << wrong;
  EXPECT_NE(refused({"--serve"}).find("needs splats"), std::string::npos);
  EXPECT_NE(refused({"a.ply", "b.ply", "--serve"}).find("one scene"), std::string::npos);
  EXPECT_NE(refused({"a.ply", "--serve", "--screenshot", "x.png"}).find("--screenshot"), std::string::npos);
  EXPECT_NE(refused({"--info", "a.ply", "--serve"}).find("--serve"), std::string::npos);
}

TEST(ServeOption, AnAddressWithoutAPortIsNoScene) {
  const auto sentence = [](std::vector<std::string> words) {
    Options options;
    return parse_options(std::move(words), options).sentence;
  };
  for (const char* word : {"0.0.0.0", "localhost", "127.0.0.1", "::1", "0.0.0.0:"})
    EXPECT_NE(sentence({"a.ply", "--serve", word}).find("--serve is a port from 1 to 65535"), std::string::npos)
        << word << ": " << sentence({"a.ply", "--serve", word});
  EXPECT_NE(sentence({"a.ply", "--serve", "abc"}).find("'abc' is no file, nor what --serve takes"), std::string::npos);
  EXPECT_NE(sentence({"train", "d", "-o", "o", "--serve", "abc"}).find("unexpected word 'abc'; --serve takes a port"),
            std::string::npos);
}

}  // namespace
}  // namespace app::test
