// The program with --serve, as a browser talks to it: a run that trains, and a splat file.
#include <gtest/gtest.h>
#include <httplib.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "io/byte_stream.h"
#include "io/image_file.h"
#include "io/splats/ply/ply.h"
#include "io/splats/spz/spz.h"
#include "tests/app/cli/commands/random_cloud.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"
#include "tests/support/test_paths.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr auto kPatience = std::chrono::seconds(120);

template <class Condition>
bool becomes(const Condition& condition) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

// The program, beside this one.
class Beside {
 public:
  Beside(std::vector<std::string> words, const std::string& out, bool interrupted = false)
      : out_(out), interrupted_(interrupted) {
    words.emplace_back("--json");
    RunOptions options;
    options.out_path = out;
    options.signal = interrupted ? SIGINT : 0;
    options.when = [this] { return interrupts_.load(); };
    ran_ = std::async(std::launch::async, [words, options] { return run(words, options); });
    EXPECT_TRUE(becomes([&] { return finds_address(); })) << text_of(out);
  }
  ~Beside() {
    interrupts_ = true;
    if (ran_.valid() && !interrupted_ && client_) post("stop");  // a test that failed half-way
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  httplib::Result get(const std::string& name) { return client_->Get("/" + token_ + "/" + name); }
  int post(const std::string& name, bool with_token = true) {
    const auto answer = client_->Post("/" + token_ + "/" + name,
                                      with_token ? httplib::Headers{{"X-Hipsplat-Token", token_}} : httplib::Headers{},
                                      "", "text/plain");
    return answer ? answer->status : -1;
  }
  json status() {
    const auto answer = get("status.json");
    return answer && !answer->body.empty() ? json::parse(answer->body) : json::object();
  }
  bool phase_becomes(const std::string& phase) {
    return becomes([&] { return status().value("phase", "") == phase; });
  }
  std::string splats() {
    const auto answer = get("splats.spz");
    return answer ? answer->body : "";
  }
  std::string pair(int view) {
    std::string jpeg;
    becomes([&] {
      const auto answer = get("pair/" + std::to_string(view) + "/-1");
      if (!answer || answer->status != 200) return false;
      return jpeg = answer->body, true;
    });
    return jpeg;
  }
  void interrupt() { interrupts_ = true; }
  Ran ended() { return ran_.get(); }

 private:
  bool finds_address() {
    std::istringstream lines(text_of(out_));
    for (std::string line; std::getline(lines, line);) {
      const json object = json::parse(line, nullptr, false);
      if (!object.is_object() || object.value("type", "") != "serving") continue;
      const std::string url = object["url"];  // http://127.0.0.1:PORT/TOKEN/
      const size_t colon = url.rfind(':'), slash = url.find('/', colon);
      token_ = url.substr(slash + 1, url.size() - slash - 2);
      client_ = std::make_unique<httplib::Client>("127.0.0.1", std::stoi(url.substr(colon + 1)));
      EXPECT_NE(object["ssh"].get<std::string>().find("ssh -L"), std::string::npos);
      return true;
    }
    return false;
  }

  std::string out_, token_;
  bool interrupted_;
  std::unique_ptr<httplib::Client> client_;
  std::atomic<bool> interrupts_{false};
  std::future<Ran> ran_;
};

size_t splats_in(const std::string& spz) {
  io::ByteStream stream(spz, "spz");
  const auto file = io::read_spz(stream);
  EXPECT_TRUE(file.ok()) << file.error().message;
  return file.ok() ? file->gaussians.size() : 0;
}

TEST(ServedRun, IsSeenPausedSavedAndStopped) {
  const SceneOnDisk scene;
  const fs::path out = scene.output("run");
  Beside run({"--train", scene.dataset(), "-o", out, "-i", "1000000", "--serve", "--threads", "1", "--strategy", "adc",
              "--test-every", "5"},
             scene.output("said"));
  ASSERT_TRUE(becomes([&] { return run.get("")->status == 200; }));
  const std::string page = run.get("")->body;
  EXPECT_NE(page.find("class Live"), std::string::npos);
  EXPECT_NE(page.find("connect-src 'self'"), std::string::npos);
  EXPECT_EQ(run.get("../scene/points3D.txt")->status, 404);

  ASSERT_TRUE(becomes([&] { return run.status().value("iteration", 0) > 50; }));
  EXPECT_GE(splats_in(run.splats()), 1u);
  ASSERT_TRUE(becomes([&] { return run.status()["shown"]["number"] >= 1; }));
  const int first = run.status()["shown"]["iteration"];
  EXPECT_GE(splats_in(run.splats()), 1u);
  EXPECT_TRUE(becomes([&] { return !run.splats().empty() && run.status()["shown"]["iteration"] > first; }));

  const auto pair = io::decode_image(run.pair(2), "pair");
  ASSERT_TRUE(pair.ok()) << pair.error().message;
  const auto photo = io::decode_image(text_of(fs::directory_iterator(scene.dataset() + "/images")->path()), "photo");
  ASSERT_TRUE(photo.ok());
  EXPECT_EQ(pair->width, 2 * photo->width);
  EXPECT_EQ(pair->height, photo->height);

  EXPECT_EQ(run.post("pause", false), 403);
  EXPECT_EQ(run.post("pause"), 202);
  ASSERT_TRUE(run.phase_becomes("paused"));
  const int iteration = run.status()["iteration"];
  EXPECT_FALSE(run.pair(3).empty());  // also while it waits
  const fs::path checkpoint = out / "checkpoints" / ("iteration_" + std::to_string(iteration) + ".checkpoint");
  EXPECT_TRUE(becomes([&] { return run.status()["note"] == "kept at " + std::to_string(iteration); }));
  EXPECT_TRUE(fs::exists(checkpoint)) << "unasked: what is killed now has lost nothing";
  fs::remove(checkpoint);
  EXPECT_EQ(run.post("checkpoint"), 202);
  EXPECT_TRUE(becomes([&] { return fs::exists(checkpoint); }));
  EXPECT_EQ(run.status()["iteration"], iteration);
  EXPECT_EQ(run.post("continue"), 202);
  ASSERT_TRUE(becomes([&] { return run.status().value("iteration", 0) > iteration; }));
  EXPECT_EQ(run.post("stop"), 202);
  EXPECT_TRUE(run.phase_becomes("ended"));
  const Ran ran = run.ended();
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(fs::exists(out / "metrics.json"));
}

// Whatever is looked at and asked for.
TEST(ServedRun, EndsInTheBytesOfARunThatNobodyWatches) {
  const SceneOnDisk scene;
  const std::vector<std::string> words{"--train", scene.dataset(),   "-i",   "6000", "--threads",
                                       "1",       "--densify-until", "1000", "-o"};
  std::vector<std::string> alone = words, watched = words;
  alone.push_back(scene.output("alone.ply"));
  watched.insert(watched.end(), {scene.output("watched.ply"), "--serve"});
  ASSERT_EQ(run(alone).code, 0);
  Beside served(watched, scene.output("said"));
  int looked = 0;
  for (bool over = false; !over;) {
    const json status = served.status();
    over = status.empty() || status["phase"] == "ended";
    if (over) break;
    if (looked == 0) {
      served.post("pause");
      EXPECT_TRUE(served.phase_becomes("paused"));
      EXPECT_FALSE(served.pair(1).empty());
      EXPECT_TRUE(becomes([&] { return !served.splats().empty() && served.status()["shown"]["number"] >= 1; }));
      served.post("continue");
    }
    ++looked;
    served.splats();
    served.get("pair/0/-1");
  }
  EXPECT_GE(looked, 1);
  EXPECT_EQ(served.ended().code, 0);
  EXPECT_EQ(text_of(scene.output("alone.ply")), text_of(scene.output("watched.ply")));
}

// Many splats are thinned, so that a browser and a slow machine keep up; the run has them all.
TEST(ServedRun, OfManySplatsAPartIsShown) {
  const SceneOnDisk scene;
  const std::string many = scene.output("many.ply");
  ASSERT_TRUE(io::write_splat_ply(many, splat::test::cloud(260'000, 0)).ok());
  Beside run({"--train", scene.dataset(), "-o", scene.output("run.ply"), "-i", "1000000", "--serve", "--init", many,
              "--strategy", "adc", "--sh-degree", "0"},
             scene.output("said"));
  ASSERT_TRUE(becomes([&] { return run.get("")->status == 200; }));
  const size_t first = splats_in(run.splats());
  EXPECT_GT(first, 180'000u);
  EXPECT_LT(first, 220'000u);
  ASSERT_TRUE(becomes([&] { return run.status()["shown"]["number"] >= 1; }));
  const json shown = run.status()["shown"];
  EXPECT_GT(shown["of"], 250'000);
  EXPECT_LT(shown["splats"], 220'000);
  EXPECT_EQ(splats_in(run.splats()), shown["splats"].get<size_t>());
  run.post("stop");
  EXPECT_EQ(run.ended().code, 0);
}

// However many were drawn while nothing waited for them, the next need not be saved up for.
TEST(ServedRun, PhotosAreComparedAfterAPauseAsBeforeIt) {
  const SceneOnDisk scene;
  Beside run({"--train", test_paths::source() / "assets/demo", "-o", scene.output("run.ply"), "-i", "1000000",
              "--serve", "--threads", "1"},
             scene.output("said"));
  EXPECT_EQ(run.post("pause"), 202);
  ASSERT_TRUE(run.phase_becomes("paused"));
  for (int i = 0; i < 100; ++i) {  // each anew, as the one before was of another photo
    EXPECT_FALSE(run.pair(i % 2).empty());
    EXPECT_EQ(run.status()["phase"], "paused");
  }
  EXPECT_EQ(run.post("continue"), 202);
  ASSERT_TRUE(run.phase_becomes("training"));
  EXPECT_TRUE(becomes([&] {
    const auto answer = run.get("pair/2/-1");
    return !run.status().empty() && answer && answer->status == 200;
  }));
  run.post("stop");
  EXPECT_EQ(run.ended().code, 0);
}

TEST(ServedRun, APortThatIsTakenIsSaidBeforeAnythingBegins) {
  const SceneOnDisk scene;
  httplib::Server other;
  const int port = other.bind_to_any_port("127.0.0.1");
  const fs::path out = scene.output("run");
  expect_refused(run({"--train", scene.dataset(), "-o", out, "--serve", std::to_string(port)}), 2,
                 {"port " + std::to_string(port), "--serve"});
  EXPECT_FALSE(fs::exists(out));
}

TEST(ServedSplats, AreShownUntilItIsInterrupted) {
  const SceneOnDisk scene;
  const std::string file = scene.output("scene.ply");
  ASSERT_EQ(run({"--train", scene.dataset(), "-o", file, "-i", "3"}).code, 0);
  Beside served({file, "--serve"}, scene.output("said"), true);
  const std::string page = served.get("")->body;
  EXPECT_NE(page.find("\"url\":\"splats.spz\""), std::string::npos);
  EXPECT_EQ(page.find("class Live"), std::string::npos);
  EXPECT_GE(splats_in(served.splats()), 1u);
  EXPECT_EQ(served.post("stop"), 404);
  served.interrupt();
  const Ran ran = served.ended();
  EXPECT_EQ(ran.code, 130) << ran.err;
  expect_refused(run({scene.output("nothing.ply"), "--serve"}), 2, {"nothing.ply"});
}

}  // namespace
}  // namespace app::test
