// Jobs of the library beside the program: the same bytes, the same sentences, and a process as it was before.
#include <gtest/gtest.h>
#include <hipsplat.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/library/some_splats.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_paths.h"

namespace {

namespace fs = std::filesystem;
using app::test::run;
using nlohmann::json;

struct Freed {
  void operator()(hs_job* job) const { hs_job_free(job); }
};
using Job = std::unique_ptr<hs_job, Freed>;

Job job_of(const char* verb, const json& settings) {
  hs_job* job = nullptr;
  EXPECT_EQ(hs_job_new(verb, settings.dump().c_str(), &job), HS_OK) << hs_error();
  return Job(job);
}

// What a job says, in order.
struct Heard {
  std::vector<std::string> stages, lines;
  std::vector<json> results, progress;
  uint64_t steps = 0, photos = 0, predicted_bytes = 0;
  int previews = 0, width = 0, height = 0;
  bool bright = false;  // some picture is not black
  std::atomic<int> inside = 0;
  bool overlap = false;
  std::function<void()> on_progress, on_step;

  hs_job_callbacks callbacks() {
    hs_job_callbacks all{};
    all.struct_size = sizeof all;
    all.user = this;
    all.stage = [](void* user, const char* name) { static_cast<Heard*>(user)->stages.emplace_back(name); };
    all.step = [](void* user, uint64_t, uint64_t) {
      auto& heard = *static_cast<Heard*>(user);
      ++heard.steps;
      if (heard.on_step) heard.on_step();
    };
    all.reading = [](void* user, uint64_t done, uint64_t) { static_cast<Heard*>(user)->photos = done; };
    all.progress = [](void* user, const char* text, const char* sentence, double share) {
      auto& heard = *static_cast<Heard*>(user);
      heard.overlap |= heard.inside++ != 0;
      EXPECT_NE(*sentence, 0);
      EXPECT_LE(share, 1);
      heard.progress.push_back(json::parse(text));
      if (heard.on_progress) heard.on_progress();
      --heard.inside;
    };
    all.predicted = [](void* user, uint64_t bytes, double) { static_cast<Heard*>(user)->predicted_bytes = bytes; };
    all.result = [](void* user, const char* text, const char*) {
      static_cast<Heard*>(user)->results.push_back(json::parse(text));
    };
    all.log = [](void* user, int32_t level, const char* line) {
      auto& heard = *static_cast<Heard*>(user);
      heard.overlap |= heard.inside++ != 0;
      EXPECT_GE(level, 0);
      heard.lines.emplace_back(line);
      --heard.inside;
    };
    return all;
  }
};

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in.good()) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

void expect_same_bytes(const fs::path& ours, const fs::path& theirs) {
  const std::string wanted = bytes_of(theirs);
  EXPECT_FALSE(wanted.empty());
  EXPECT_TRUE(bytes_of(ours) == wanted) << ours << " is not " << theirs;
}

std::string demo() { return (test_paths::source() / "assets/demo").string(); }

json short_run(const fs::path& output) {
  return {{"input", demo()}, {"output", output.string()}, {"iterations", 30},
          {"resolution", 8}, {"backend", "cpu"},          {"eval", true}};
}

std::vector<std::string> words_of_short_run(const fs::path& output) {
  return {"train",        demo(), "-o",        output.string(), "--iterations", "30",
          "--resolution", "8",    "--backend", "cpu",           "--eval"};
}

class LibraryJobs : public testing::Test {
 protected:
  fs::path some_file() const {
    const fs::path path = folder_.path() / "some.ply";
    const hs_test::Arrays arrays = hs_test::some_splats(500, 1);
    const hs_splats splats = arrays.splats();
    EXPECT_EQ(hs_save(path.c_str(), &splats, nullptr, nullptr), HS_OK);
    return path;
  }
  hs_status ran(const char* verb, const json& settings) {
    const hs_job_callbacks callbacks = heard_.callbacks();
    return hs_job_run(job_of(verb, settings).get(), &callbacks);
  }
  fs::path in(const char* name) const { return folder_.path() / name; }

  const splat::test::TempFolder folder_;
  Heard heard_;
};

TEST_F(LibraryJobs, ConvertingGivesTheProgramsBytes) {
  const fs::path file = some_file();
  ASSERT_EQ(run({"convert", file, in("theirs.spz"), "--transform", "scale 2"}).code, 0);
  const json settings{{"input", file.string()}, {"output", in("ours.spz").string()}, {"transform", "scale 2"}};
  ASSERT_EQ(ran("convert", settings), HS_OK) << hs_error();
  expect_same_bytes(in("ours.spz"), in("theirs.spz"));
  ASSERT_EQ(heard_.results.size(), 1u);
  EXPECT_EQ(heard_.results[0]["type"], "summary");
  EXPECT_EQ(heard_.results[0]["splats"], 500);
  EXPECT_GT(heard_.steps, 0u);
  ASSERT_FALSE(heard_.stages.empty());
  EXPECT_EQ(heard_.stages.back(), "writing ours.spz");
}

TEST_F(LibraryJobs, InputsOfAListAreMerged) {
  const fs::path file = some_file();
  const json inputs{file.string(), file.string()};
  ASSERT_EQ(ran("convert", {{"input", inputs}, {"output", in("two.ply").string()}}), HS_OK) << hs_error();
  EXPECT_EQ(heard_.results.at(0)["splats"], 1000);
}

TEST_F(LibraryJobs, TrainingTwiceGivesTheProgramsBytes) {
  ASSERT_EQ(run(words_of_short_run(in("theirs"))).code, 0);
  const char* const splats = "point_cloud/iteration_30/point_cloud.ply";
  for (const char* name : {"first", "second"}) {
    ASSERT_EQ(ran("train", short_run(in(name))), HS_OK) << hs_error();
    expect_same_bytes(in(name) / splats, in("theirs") / splats);
    expect_same_bytes(in(name) / "config.json", in("theirs") / "config.json");
  }
  EXPECT_EQ(heard_.results.front()["type"], "start");
  EXPECT_EQ(heard_.results.back()["type"], "summary");
  EXPECT_FALSE(heard_.progress.empty());
  EXPECT_GT(heard_.photos, 0u);
  EXPECT_FALSE(heard_.lines.empty());
  EXPECT_FALSE(heard_.overlap);
}

TEST_F(LibraryJobs, PreviewsShowTheRunAndChangeNothingOfIt) {
  ASSERT_EQ(ran("train", short_run(in("plain"))), HS_OK) << hs_error();
  hs_job_callbacks callbacks = heard_.callbacks();
  callbacks.preview_seconds = 1e-9;
  callbacks.preview_view = 1'000'000;  // the last one
  callbacks.preview = [](void* user, const uint8_t* rgb, int32_t width, int32_t height, int32_t iteration) {
    auto& heard = *static_cast<Heard*>(user);
    ++heard.previews, heard.width = width, heard.height = height;
    heard.bright |=
        std::any_of(rgb, rgb + size_t(3) * size_t(width) * size_t(height), [](uint8_t v) { return v > 40; });
    EXPECT_LE(iteration, 30);
  };
  ASSERT_EQ(hs_job_run(job_of("train", short_run(in("shown"))).get(), &callbacks), HS_OK) << hs_error();
  EXPECT_GT(heard_.previews, 1);
  EXPECT_GT(heard_.width, heard_.height);
  EXPECT_TRUE(heard_.bright);
  const char* const splats = "point_cloud/iteration_30/point_cloud.ply";
  expect_same_bytes(in("shown") / splats, in("plain") / splats);
}

TEST_F(LibraryJobs, MeshFilmAndFiguresAreTheProgramsToo) {
  ASSERT_EQ(ran("train", short_run(in("run"))), HS_OK) << hs_error();
  const std::string splats = in("run").string();
  ASSERT_EQ(run({"mesh", splats, "-o", in("theirs.ply"), "--mesh-detail", "coarse", "--data", demo(), "-r", "8",
                 "--backend", "cpu"})
                .code,
            0);
  const json mesh{{"input", splats},         {"output", in("ours.ply").string()},
                  {"mesh_detail", "coarse"}, {"data", demo()},
                  {"resolution", 8},         {"backend", "cpu"}};
  ASSERT_EQ(ran("mesh", mesh), HS_OK) << hs_error();
  expect_same_bytes(in("ours.ply"), in("theirs.ply"));
  EXPECT_GT(heard_.predicted_bytes, 0u);

  ASSERT_EQ(run({"render", splats, "--path", "orbit", "-o", in("their film"), "--size", "64x48", "--seconds", "0.1",
                 "--backend", "cpu"})
                .code,
            0);
  const json film{
      {"input", splats}, {"output", in("our film").string()}, {"size", "64x48"}, {"seconds", 0.1}, {"backend", "cpu"}};
  ASSERT_EQ(ran("film", film), HS_OK) << hs_error();
  int pictures = 0;
  for (const auto& entry : fs::directory_iterator(in("their film"))) {
    if (entry.path().extension() != ".png") continue;
    ++pictures;
    expect_same_bytes(in("our film") / entry.path().filename(), entry.path());
  }
  EXPECT_EQ(pictures, 3);

  const json theirs =
      run({"evaluate", splats, "--data", demo(), "--resolution", "8", "--backend", "cpu", "--json"}).summary();
  const json figures{{"input", splats}, {"data", demo()}, {"resolution", 8}, {"backend", "cpu"}};
  ASSERT_EQ(ran("evaluate", figures), HS_OK) << hs_error();
  EXPECT_EQ(heard_.results.back(), theirs);

  ASSERT_EQ(run({"render", splats, "--cameras", splats, "-o", in("their views"), "-r", "8", "--backend", "cpu"}).code,
            0);
  const json views{{"input", splats},
                   {"cameras", splats},
                   {"output", in("our views").string()},
                   {"resolution", 8},
                   {"backend", "cpu"}};
  ASSERT_EQ(ran("render", views), HS_OK) << hs_error();
  ASSERT_FALSE(heard_.results.back()["pictures"].empty());
  for (const json& picture : heard_.results.back()["pictures"]) {
    const fs::path ours = picture.get<std::string>();
    expect_same_bytes(ours, in("their views") / fs::relative(ours, in("our views")));
  }
}

TEST_F(LibraryJobs, ACancelledTrainingLeavesACheckpointToGoOnFrom) {
  json settings = short_run(in("run"));
  settings["iterations"] = 1'000'000;
  const Job job = job_of("train", settings);
  heard_.on_progress = [&] { hs_job_cancel(job.get()); };
  const hs_job_callbacks callbacks = heard_.callbacks();
  EXPECT_EQ(hs_job_run(job.get(), &callbacks), HS_CANCELLED);
  EXPECT_NE(std::string(hs_error()).find("to go on: --resume"), std::string::npos) << hs_error();
  ASSERT_EQ(heard_.results.back()["type"], "interrupted");
  const fs::path checkpoint = heard_.results.back()["checkpoint"].get<std::string>();
  EXPECT_TRUE(fs::exists(checkpoint));
  EXPECT_FALSE(fs::exists(in("run") / ".hipsplat.lock"));
  EXPECT_EQ(hs_job_run(job.get(), nullptr), HS_CANCELLED) << "it stays cancelled";
  EXPECT_STREQ(hs_error(), "cancelled before it began; nothing was written");

  heard_.on_progress = nullptr;
  settings["iterations"] = heard_.results.back()["iteration"].get<int>() + 2;
  settings["resume"] = checkpoint.string();
  EXPECT_EQ(ran("train", settings), HS_OK) << hs_error();
}

TEST_F(LibraryJobs, ACancelledEvaluationEnds) {
  ASSERT_EQ(ran("train", short_run(in("run"))), HS_OK) << hs_error();
  const Job job =
      job_of("evaluate", {{"input", in("run").string()}, {"data", demo()}, {"resolution", 8}, {"backend", "cpu"}});
  heard_.on_step = [&] { hs_job_cancel(job.get()); };
  const hs_job_callbacks callbacks = heard_.callbacks();
  heard_.results.clear();
  EXPECT_EQ(hs_job_run(job.get(), &callbacks), HS_CANCELLED);
  EXPECT_STREQ(hs_error(), "interrupted before everything was measured");
  EXPECT_TRUE(heard_.results.empty());
}

TEST_F(LibraryJobs, AnOutputInUseIsRefusedToTheProgram) {
  json settings = short_run(in("run"));
  settings["iterations"] = 1'000'000;
  const Job job = job_of("train", settings);
  app::test::Ran other;
  heard_.on_progress = [&] {
    other = run(words_of_short_run(in("run")));
    hs_job_cancel(job.get());
  };
  const hs_job_callbacks callbacks = heard_.callbacks();
  EXPECT_EQ(hs_job_run(job.get(), &callbacks), HS_CANCELLED);
  app::test::expect_refused(other, 2, {"is in use", "process " + std::to_string(::getpid())});
}

TEST_F(LibraryJobs, JobsOfTwoThreadsTakeTurns) {
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (const char* name : {"first", "second"})
    threads.emplace_back(
        [&, name] { good += hs_job_run(job_of("train", short_run(in(name))).get(), nullptr) == HS_OK; });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 2);
  const char* const splats = "point_cloud/iteration_30/point_cloud.ply";
  expect_same_bytes(in("first") / splats, in("second") / splats);
}

// The sentences of the command line.
TEST_F(LibraryJobs, WhatIsWrongIsTheSentenceOfTheProgram) {
  struct Wrong {
    const char* verb;
    json settings;
    std::vector<std::string> words;
  };
  const std::string file = some_file(), out = in("out.spz");
  const std::vector<Wrong> all{
      {"train", {{"input", "a"}, {"output", "b"}, {"iteratons", 3}}, {"train", "a", "-o", "b", "--iteratons", "3"}},
      {"train", {{"input", "a"}, {"output", "b"}, {"iterations", "x"}}, {"train", "a", "-o", "b", "--iterations=x"}},
      {"train",
       {{"input", "a"}, {"output", "b"}, {"strategy", "budgit"}},
       {"train", "a", "-o", "b", "--strategy=budgit"}},
      {"train", {{"input", "a"}}, {"train", "a"}},
      {"train", {{"input", "a"}, {"output", "b"}, {"faces", 3}}, {"train", "a", "-o", "b", "--faces", "3"}},
      {"train",
       {{"input", "a"}, {"output", "b"}, {"set", {"budget-dropout=0.1", "nothing=1"}}},
       {"train", "a", "-o", "b", "--set", "budget-dropout=0.1", "--set", "nothing=1"}},
      {"mesh", {{"input", file}}, {"mesh", file}},
      {"render", {{"input", file}, {"output", "b"}}, {"render", file, "-o", "b"}},
      {"evaluate", {{"input", file}}, {"evaluate", file}},
      {"convert", {{"input", file}, {"output", out}, {"backend", "cpu"}}, {"convert", file, out, "--backend", "cpu"}}};
  for (const Wrong& wrong : all) {
    hs_job* job = nullptr;
    EXPECT_EQ(hs_job_new(wrong.verb, wrong.settings.dump().c_str(), &job), HS_ERROR_ARGUMENT) << wrong.settings;
    EXPECT_EQ(job, nullptr);
    const std::string sentence = hs_error();
    app::test::expect_refused(run(wrong.words), 2, {sentence});
    EXPECT_FALSE(sentence.empty());
  }
  // Found while it runs.
  EXPECT_EQ(ran("train", short_run(file + "/nowhere")), HS_ERROR_ARGUMENT);
  json missing = short_run(in("run"));
  missing["input"] = "no_such_scene";
  EXPECT_EQ(ran("train", missing), HS_ERROR_ARGUMENT);
  EXPECT_NE(std::string(hs_error()).find("no_such_scene"), std::string::npos) << hs_error();
  EXPECT_FALSE(fs::exists(in("run")));
  json device = short_run(in("run"));
  device["backend"] = "cuda", device["device"] = 99;
  EXPECT_EQ(ran("train", device), HS_ERROR_DEVICE);
}

TEST_F(LibraryJobs, WrongArgumentsAreRefused) {
  hs_job* job = nullptr;
  const auto refused = [&](const char* verb, const char* settings, const std::string& words) {
    EXPECT_EQ(hs_job_new(verb, settings, &job), HS_ERROR_ARGUMENT) << words;
    EXPECT_EQ(job, nullptr);
    EXPECT_NE(std::string(hs_error()).find(words), std::string::npos) << "'" << hs_error() << "' lacks " << words;
  };
  refused("trian", "{}", "there is no job 'trian'; the jobs are train, align");
  refused("doctor", "{}", "there is no job 'doctor'");
  refused(nullptr, "{}", "verb is null");
  refused("train", nullptr, "settings is null");
  refused("train", "{", "settings");
  refused("train", "[]", "settings are a JSON object");
  refused("train", "{}", "the settings have no 'input'");
  refused("train", R"({"input": 3})", "'input' is a path, not 3");
  refused("train", R"({"input": ["a", "b"]})", "'input' is a path, not [");
  refused("convert", R"({"input": ["a", 3]})", "'input' is a path or a list of paths, not 3");
  refused("train", R"({"input": "a\u0000b"})", "has a zero byte in it");
  refused("train", R"({"input": "a", "output": {"b": 1}})", "--output needs a value, not an object");
  refused("train", R"({"input": "a", "eval": 1})", "--eval is either true or false, not '1'");
  for (const char* name : {"json", "quiet", "help", "version", "serve", "slurm"})
    refused("train", json{{"input", "a"}, {name, true}}.dump().c_str(),
            "--" + std::string(name) + " is of the program alone");
  EXPECT_EQ(hs_job_new("train", "{}", nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_job_run(nullptr, nullptr), HS_ERROR_ARGUMENT);
  hs_job_cancel(nullptr);
  hs_job_free(nullptr);

  const Job good = job_of("convert", {{"input", "no.ply"}, {"output", in("a.ply").string()}});
  hs_job_callbacks callbacks = heard_.callbacks();
  callbacks.struct_size = 8;
  EXPECT_EQ(hs_job_run(good.get(), &callbacks), HS_ERROR_ARGUMENT);
  callbacks = heard_.callbacks();
  callbacks.preview_view = -1;
  EXPECT_EQ(hs_job_run(good.get(), &callbacks), HS_ERROR_ARGUMENT);
  callbacks = heard_.callbacks();
  callbacks.progress_seconds = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(hs_job_run(good.get(), &callbacks), HS_ERROR_ARGUMENT);
}

// ---- what a job leaves

size_t entries_of(const char* folder) {
  return size_t(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST_F(LibraryJobs, LeavesTheProcessAsItWas) {
  ASSERT_EQ(ran("train", short_run(in("before"))), HS_OK) << hs_error();  // what is made once
  std::map<int, struct sigaction> handlers;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM, SIGXFSZ, SIGCHLD})
    sigaction(signal, nullptr, &handlers[signal]);
  const size_t threads = entries_of("/proc/self/task"), files = entries_of("/proc/self/fd");
  const int priority = getpriority(PRIO_PROCESS, 0);
  const std::terminate_handler terminate = std::get_terminate();
  const fs::path place = fs::current_path();

  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  json settings = short_run(in("run"));
  settings["strategy"] = "mcmc", settings["max_splats"] = 1'000'000;
  EXPECT_EQ(ran("train", settings), HS_OK) << hs_error();
  settings["input"] = "no_such_scene";
  EXPECT_EQ(ran("train", settings), HS_ERROR_ARGUMENT);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");

  for (const auto& [signal, before] : handlers) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    EXPECT_EQ(now.sa_handler, before.sa_handler) << signal;
  }
  EXPECT_EQ(entries_of("/proc/self/task"), threads);
  EXPECT_EQ(entries_of("/proc/self/fd"), files);
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), priority);
  EXPECT_EQ(std::get_terminate(), terminate);
  EXPECT_EQ(std::get_new_handler(), nullptr);
  EXPECT_EQ(fs::current_path(), place);
}

}  // namespace
