#include "app/settings/options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "app/settings/tasks.h"
#include "tests/support/temp_folder.h"

namespace app {
namespace {

using splat::test::TempFolder;

Options parsed(std::vector<std::string> arguments) {
  Options options;
  const Outcome outcome = parse_options(std::move(arguments), options);
  EXPECT_TRUE(outcome.ok()) << outcome.sentence;
  return options;
}

// The sentence with which the arguments are refused, always with exit code 2.
std::string refusal(std::vector<std::string> arguments) {
  Options options;
  const Outcome outcome = parse_options(std::move(arguments), options);
  EXPECT_EQ(outcome.code, ExitCode::kUsage);
  EXPECT_EQ(outcome.sentence.find('\n'), std::string::npos);
  return outcome.sentence;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Options, TrainingOptionsReachTheirFields) {
  const Options o = parsed({"--train",
                            "data",
                            "-o",
                            "out",
                            "-i",
                            "7000",
                            "--sh-degree",
                            "2",
                            "--seed",
                            "18446744073709551615",
                            "--max-splats",
                            "500000",
                            "-r",
                            "2",
                            "--eval",
                            "--test-every",
                            "5",
                            "--save-at",
                            "100, 200",
                            "--checkpoint-every",
                            "50",
                            "--threads",
                            "3",
                            "--background",
                            "0.25,0.5,1",
                            "--antialias",
                            "--low-pass",
                            "0.1",
                            "--surface",
                            "--masks",
                            "m",
                            "--depths",
                            "off",
                            "--images",
                            "photos",
                            "--densify-gradient",
                            "0.0003",
                            "--json",
                            "--quiet"});
  EXPECT_EQ(o.verb, kTrain);
  EXPECT_EQ(o.input, "data");
  EXPECT_EQ(o.output, "out");
  EXPECT_EQ(o.train.iterations, 7000);
  EXPECT_EQ(o.train.sh_degree, 2);
  EXPECT_EQ(o.train.seed, 18446744073709551615u);
  EXPECT_EQ(o.train.max_splats, 500000u);
  EXPECT_EQ(o.dataset.resolution, 2);
  EXPECT_TRUE(o.dataset.eval);
  EXPECT_EQ(o.dataset.test_every, 5);
  EXPECT_EQ(o.save.at, (std::vector<int>{100, 200}));
  EXPECT_EQ(o.save.checkpoint_every, 50);
  EXPECT_EQ(o.device.threads, 3);
  EXPECT_EQ(o.train.background, splat::BackgroundMode::kColour);
  EXPECT_EQ(o.train.background_colour, (std::array<float, 3>{0.25f, 0.5f, 1.0f}));
  EXPECT_TRUE(o.train.antialias);
  EXPECT_EQ(o.train.low_pass, 0.1f);
  EXPECT_TRUE(o.train.surface);
  EXPECT_EQ(o.dataset.masks_folder, "m");
  EXPECT_EQ(o.dataset.depths, io::DepthMaps::kOff);
  EXPECT_EQ(o.dataset.images_folder, "photos");
  EXPECT_FLOAT_EQ(o.train.adc.gradient_threshold, 0.0003f);
  EXPECT_TRUE(o.console.json);
  EXPECT_TRUE(o.console.quiet);
}

TEST(Options, TheLastOfARepeatedOptionWins) {
  EXPECT_EQ(parsed({"--info", "x", "--threads", "2", "--threads", "5"}).device.threads, 5);
}

TEST(Options, UnderscoresAreDashes) {
  EXPECT_EQ(parsed({"--train", "d", "-o", "o", "--sh_degree=1"}).train.sh_degree, 1);
}

TEST(Options, NamedTestImagesImplyHoldingOut) {
  const Options o = parsed({"--train", "d", "-o", "o", "--test-images", "a.jpg,b c.jpg"});
  EXPECT_TRUE(o.dataset.eval);
  EXPECT_EQ(o.dataset.test_images, (std::vector<std::string>{"a.jpg", "b c.jpg"}));
  EXPECT_TRUE(parsed({"--train", "d", "-o", "o", "--test-every", "4"}).dataset.eval);
  EXPECT_TRUE(parsed({"--evaluate", "f.ply", "--data", "d"}).dataset.eval);
  EXPECT_FALSE(parsed({"--train", "d", "-o", "o"}).dataset.eval);
}

TEST(Options, AConfigFileThatSaysWhetherToHoldOutIsTakenAtItsWord) {
  const TempFolder folder;
  const std::string all = folder.write("all.json", R"({"eval": false, "test_every": 8})"),
                    named = folder.write("named.json", R"({"eval": true, "test_every": 8, "test_images": ["a.jpg"]})"),
                    every = folder.write("every.json", R"({"test_every": 4})");
  const auto with = [](const std::string& config, std::vector<std::string> more) {
    more.insert(more.end(), {"--train", "d", "-o", "o", "--config", config});
    return parsed(more).dataset;
  };
  EXPECT_FALSE(with(all, {}).eval) << "as config.json of a run that held nothing out";
  EXPECT_TRUE(with(all, {"--test-every", "4"}).eval);
  EXPECT_TRUE(with(every, {}).eval);
  EXPECT_EQ(with(named, {}).test_images, std::vector<std::string>{"a.jpg"});
  EXPECT_TRUE(with(named, {"--test-every", "4"}).test_images.empty()) << "the command line wins";
  EXPECT_EQ(with(named, {"--test-images", "b.jpg"}).test_images, std::vector<std::string>{"b.jpg"});
}

TEST(Options, MistypedNamesGetASuggestion) {
  EXPECT_TRUE(contains(refusal({"--train", "d", "-o", "o", "--iteration", "5"}), "did you mean --iterations?"));
  EXPECT_TRUE(contains(refusal({"--train", "d", "-o", "o", "--tst-every", "5"}), "did you mean --test-every?"));
  EXPECT_TRUE(contains(refusal({"--train", "d", "-o", "o", "--backend", "gpu"}), "auto, cpu, hip or cuda"));
}

// Not "unexpected word 'o'", nor a folder of that name.
TEST(Options, WhatIsMissingOrContradictsIsNamed) {
  EXPECT_TRUE(contains(refusal({"train", "-o", "o"}), "train needs a value"));
  EXPECT_EQ(parsed({"train", "-o", "o", "data"}).input, "data");
  EXPECT_TRUE(contains(refusal({"mesh", "-o", "o.glb"}), "mesh needs a value"));
  for (const char* name : {"o.txt", "o.mp4", "o.JSON", "o.zip"})
    EXPECT_TRUE(contains(refusal({"train", "d", "-o", name}), std::string("'") + name + "' is the name of a file"))
        << name;
  EXPECT_EQ(parsed({"train", "d", "-o", "garden.v2"}).output, "garden.v2") << "folders may have dots";
  for (const char* name : {"r.png", "r.ply"})
    EXPECT_TRUE(contains(refusal({"render", "a.ply", "--cameras", "d", "-o", name}), "is the name of a file")) << name;
  EXPECT_TRUE(contains(refusal({"align", "photos", "-o", "a.txt"}), "is the name of a file"));
  EXPECT_TRUE(contains(refusal({"render", "a.ply", "--path", "orbit", "-o", "f.mp4", "--slurm", "2", "--task", "0/2"}),
                       "--slurm"));
}

TEST(Options, NamesOfOtherTrainersAreUnderstoodAsAHint) {
  EXPECT_TRUE(contains(refusal({"-s", "data", "-m", "out"}), "did you mean train DATASET?"));
  EXPECT_TRUE(contains(refusal({"--train", "d", "-o", "o", "--max-cap", "5"}), "did you mean --max-splats?"));
  EXPECT_TRUE(contains(refusal({"--train", "d", "-o", "o", "--save_iterations", "5"}), "did you mean --save-at?"));
}

TEST(Options, ValuesAreChecked) {
  EXPECT_EQ(refusal({"--train", "d", "-o", "o", "-i", "-1"}),
            "--iterations needs a whole number between 0 and 10000000, not '-1'");
  struct Bad {
    const char *option, *value, *said;
  };
  for (const Bad& bad :
       {Bad{"-i", "1e3", "'1e3'"}, Bad{"-i", "5x", "'5x'"}, Bad{"--sh-degree", "4", "between 0 and 3"},
        Bad{"--seed", "-1", "'-1'"}, Bad{"--test-every", "1", "between 2 and"}, Bad{"-r", "0", "'0'"},
        Bad{"-r", "12", "'12'"}, Bad{"--threads", "-2", "'-2'"}, Bad{"--save-at", "1,x", "'x'"},
        Bad{"--save-at", ",", "got none"}, Bad{"--background", "2,0,0", "from 0 to 1"},
        Bad{"--background", "pink", "'pink'"}, Bad{"--densify-gradient", "nan", "'nan'"},
        Bad{"--low-pass", "-0.1", "--low-pass: low_pass is -0.1"}, Bad{"--ssim-weight", "7", "ssim_weight is 7"},
        Bad{"--initial-opacity", "0", "initial_opacity is 0"}, Bad{"--strategy", "none", "--strategy is adc"}}) {
    const std::string sentence = refusal({"--train", "d", "-o", "o", bad.option, bad.value});
    EXPECT_TRUE(contains(sentence, bad.said)) << bad.option << ' ' << bad.value << ": " << sentence;
  }
  EXPECT_TRUE(
      contains(refusal({"--render", "a.ply", "--cameras", "d", "-o", "o", "--low-pass", "-1"}), "low_pass is -1"));
}

TEST(Options, AMissingValueIsNamed) {
  EXPECT_EQ(refusal({"--train", "d", "-o", "o", "--seed"}), "--seed needs a value: --seed N");
  EXPECT_EQ(refusal({"--train"}), "train needs a value: train DATASET");
}

TEST(Options, ContradictionsAreNamed) {
  EXPECT_TRUE(contains(refusal({"--train", "d", "--info", "d"}), "two commands"));
  EXPECT_TRUE(contains(refusal({"--train", "d"}), "-o"));
  EXPECT_TRUE(contains(refusal({"--render", "f.ply", "-o", "d"}), "--cameras"));
  EXPECT_TRUE(contains(refusal({"--render", "f.ply", "--cameras", "d"}), "-o"));
  EXPECT_TRUE(contains(refusal({"--evaluate", "f.ply"}), "--data"));
  EXPECT_TRUE(contains(refusal({"--train", "d", "-o", "x.ply", "--save-at", "5"}), "--save-at"));
  EXPECT_TRUE(contains(refusal({"--train", "d", "-o", "x.ply", "--checkpoint-every", "5"}), "--checkpoint-every"));
  EXPECT_TRUE(contains(refusal({"--train", "d", "-o", "x.ksplat"}), "x.ksplat"));
  EXPECT_TRUE(
      contains(refusal({"--train", "d", "-o", "o", "--test-images", "a", "--test-every", "4"}), "--test-every"));
  EXPECT_TRUE(contains(refusal({"--info", "d", "--seed", "4"}), "--seed"));
  EXPECT_TRUE(contains(refusal({"--train", "d", "-o", "o", "stray"}), "'stray'"));
  EXPECT_TRUE(contains(refusal({"--json"}), "--json"));
}

TEST(Options, WithoutACommandTheWindowOpens) {
  app::Options nothing, scene, picture;
  ASSERT_TRUE(app::parse_options({}, nothing));
  EXPECT_EQ(nothing.verb, app::kWindow);
  EXPECT_TRUE(nothing.input.empty());
  ASSERT_TRUE(app::parse_options({"scene", "--backend", "cpu"}, scene));
  EXPECT_EQ(scene.input, "scene");
  ASSERT_TRUE(app::parse_options({"--screenshot", "a.png", "--size", "1024x640", "--after", "2.5"}, picture));
  EXPECT_EQ(picture.window.width, 1024);
  EXPECT_EQ(picture.window.height, 640);
  EXPECT_EQ(picture.window.screenshot_after, 2.5);
  EXPECT_TRUE(contains(refusal({"--size", "1024"}), "1600x900"));
  EXPECT_TRUE(contains(refusal({"--after", "3"}), "--screenshot"));
  EXPECT_TRUE(contains(refusal({"--seed", "3"}), "the window"));
  const Options several = parsed({"a.ply", "b/", "c.ply"});
  EXPECT_EQ(several.input, "a.ply");
  EXPECT_EQ(several.also, (std::vector<std::filesystem::path>{"b", "c.ply"}));
}

TEST(Options, BoxesAreCornersInAnyOrderAndMayBeTurned) {
  app::Options plain, turned, again;
  ASSERT_TRUE(parse_options({"--train", "a", "-o", "b", "--region", "1,2,3,-1,-2,-3.5"}, plain));
  EXPECT_EQ(plain.train.region.low, (std::array<double, 3>{-1, -2, -3.5}));
  EXPECT_FALSE(plain.train.region.turned());
  ASSERT_TRUE(parse_options({"--mesh", "a.ply", "-o", "b.ply", "--region", "0,0,0,1,1,1,0,3,0,4"}, turned));
  EXPECT_DOUBLE_EQ(turned.train.region.rotation.x, 0.6);
  EXPECT_EQ(mesh_task(turned).settings.region, turned.train.region);
  ASSERT_TRUE(apply_settings(settings_json(turned), "settings", again).ok());
  EXPECT_EQ(again.train.region, turned.train.region);
  EXPECT_TRUE(settings_json(app::Options{})["region"].is_null());
  EXPECT_TRUE(contains(refusal({"--convert", "a.ply", "b.ply", "--region", "0,0,0,1,1,1"}), "--region"));
}

TEST(Options, ConvertTakesFilesAndAnOutput) {
  app::Options last, named;
  ASSERT_TRUE(parse_options({"--convert", "a.ply", "b.spz", "c.sog", "--crop-box", "1,1,1,-1,-1,-1"}, last));
  EXPECT_EQ(last.convert.inputs, (std::vector<std::filesystem::path>{"a.ply", "b.spz"}));
  EXPECT_EQ(last.output, "c.sog");
  ASSERT_TRUE(last.convert.filters.crop_box);
  EXPECT_EQ(last.convert.filters.crop_box->low[2], -1);
  ASSERT_TRUE(parse_options({"--convert", "a.ply", "b.spz", "-o", "c.sog"}, named));
  EXPECT_EQ(named.convert.inputs.size(), 2u);
  EXPECT_EQ(named.output, "c.sog");
}

TEST(Options, TransformsAreStepsFromLeftToRight) {
  const auto moved = parse_transform("rotate 90 0 0, scale 2, translate 0 0 1");
  ASSERT_TRUE(moved.ok()) << moved.error().message;
  const std::array<double, 3> there = *moved * std::array<double, 3>{1, 1, 0};
  EXPECT_NEAR(there[0], 2, 1e-12);
  EXPECT_NEAR(there[1], 0, 1e-12);
  EXPECT_NEAR(there[2], 3, 1e-12);
  const std::array<double, 3> other =
      *parse_transform("translate=0 0 1,rotate:0 90 0") * std::array<double, 3>{0, 0, 0};
  EXPECT_NEAR(other[0], 1, 1e-12);
  for (const char* bad : {"", "scale", "scale 0", "scale -1", "rotate 1 2", "translate 1 2 x", "spin 1"})
    EXPECT_FALSE(parse_transform(bad).ok()) << bad;
}

TEST(Options, ConfigFilesSetAndTheCommandLineWins) {
  const TempFolder folder;
  const std::string file =
      folder.write("set tings ü.json", R"({"iterations": 123, "sh-degree": 1, "max_splats": 99, "eval": true,
      "save_at": [5, 6], "background": "white", "threads": null, "mean_rate_first": 0.001})");
  const Options o = parsed({"--train", "d", "-o", "o", "--config", file, "--sh-degree", "2"});
  EXPECT_EQ(o.train.iterations, 123);
  EXPECT_EQ(o.train.sh_degree, 2);
  EXPECT_EQ(o.train.max_splats, 99u);
  EXPECT_TRUE(o.dataset.eval);
  EXPECT_EQ(o.save.at, (std::vector<int>{5, 6}));
  EXPECT_EQ(o.train.background, splat::BackgroundMode::kWhite);
  EXPECT_FLOAT_EQ(o.train.rates.mean_first, 0.001f);
  EXPECT_FALSE(parsed({"--train", "d", "-o", "o", "--config", file, "--eval=false"}).dataset.eval);
}

TEST(Options, ConfigFilesAreCheckedLikeTheCommandLine) {
  const TempFolder folder;
  const auto with = [&](const std::string& text) {
    return refusal({"--train", "d", "-o", "o", "--config", folder.write("c.json", text)});
  };
  EXPECT_TRUE(contains(with(R"({"iteration": 5})"), "did you mean 'iterations'?"));
  EXPECT_TRUE(contains(with(R"({"sh_degree": 9})"), "between 0 and 3"));
  EXPECT_TRUE(contains(with(R"({"iterations": {"a": 1}})"), "'iterations'"));
  for (const std::string number : {"1e300", "-1e300", "2.5", "18446744073709551616"})
    EXPECT_TRUE(contains(with("{\"threads\": " + number + "}"), "--threads needs a whole number")) << number;
  EXPECT_TRUE(contains(with("{\n\"iterations\": }"), "line 2"));
  EXPECT_TRUE(contains(with("[1]"), "JSON object"));
  EXPECT_TRUE(contains(with(R"({"train": "x"})"), "'train'"));
  EXPECT_TRUE(
      contains(refusal({"--train", "d", "-o", "o", "--config", (folder.path() / "none.json").string()}), "none.json"));
}

TEST(Options, SettingsSurviveTheWayThroughConfigJson) {
  const Options o =
      parsed({"--train", "d", "-o", "o", "-i", "77", "--background", "0.1,0.2,0.3", "--test-images", "a,b", "--save-at",
              "1,2", "--opacity-rate", "0.033", "--seed", "12345678901234567890", "-r", "640", "--antialias"});
  Options again;
  ASSERT_TRUE(apply_settings(settings_json(o), "settings", again).ok());
  EXPECT_EQ(settings_json(again), settings_json(o));
  EXPECT_EQ(again.train.seed, 12345678901234567890u);
  EXPECT_EQ(again.train.rates.opacity, 0.033f);
}

TEST(Options, EverySettingOfTrainingHasARow) {
  Options options;
  const std::vector<OptionRow> rows = option_table(options);
  splat::visit_fields(options.train, [&](const splat::Setting& setting, auto&) {
    std::string name = setting.name;
    if (name == "background_colour") return;  // part of --background
    std::replace(name.begin(), name.end(), '_', '-');
    const bool found = std::any_of(rows.begin(), rows.end(), [&](const OptionRow& row) { return row.name == name; });
    EXPECT_TRUE(found) << name;
  });
}

TEST(Tasks, HoldWhatTheirCommandReads) {
  const ConvertTask plain = convert_task(parsed({"--convert", "a.ply", "b.ply", "c.spz"}));
  EXPECT_EQ(plain.convert.inputs, (std::vector<std::filesystem::path>{"a.ply", "b.ply"}));
  EXPECT_EQ(plain.output, "c.spz");
  EXPECT_EQ(plain.convert.filters.max_splats, 0u) << "training's default is none of --convert's business";
  EXPECT_EQ(plain.convert.filters.max_sh_degree, splat::kMaxShDegree);
  const ConvertTask limited =
      convert_task(parsed({"--convert", "a.ply", "c.spz", "--max-splats", "0", "--sh-degree", "1", "--threads", "3"}));
  EXPECT_EQ(limited.convert.filters.max_splats, 0u);
  EXPECT_EQ(limited.convert.filters.max_sh_degree, 1);
  EXPECT_EQ(limited.device.threads, 3);
  const RenderTask render = render_task(parsed({"--render", "a.ply", "--cameras", "data", "-o", "out", "--background",
                                                "white", "--antialias", "--low-pass", "0", "-r", "4"}));
  EXPECT_EQ(render.cameras, "data");
  EXPECT_EQ(render.look.background, (std::array<float, 3>{1, 1, 1}));
  EXPECT_TRUE(render.look.antialias);
  EXPECT_EQ(render.look.low_pass, 0.0f);
  EXPECT_TRUE(render.low_pass_given);
  EXPECT_EQ(render.dataset.resolution, 4);
  const EvaluateTask evaluate = evaluate_task(parsed({"--evaluate", "a.ply", "--data", "data", "--json"}));
  EXPECT_EQ(evaluate.data, "data");
  EXPECT_FALSE(evaluate.low_pass_given) << "the file says it";
  EXPECT_EQ(window_task(parsed({"a.ply", "--low-pass", "0.1"})).low_pass, 0.1f);
  EXPECT_FALSE(window_task(parsed({"a.ply"})).low_pass);
  EXPECT_TRUE(contains(refusal({"--low-pass", "0.1"}), "name their file"));
  EXPECT_TRUE(evaluate.dataset.eval) << "held-out views are what it is about";
  EXPECT_TRUE(evaluate.console.json);
  const WindowTask window = window_task(parsed({"scene.ply", "--size", "640x480", "--backend", "cpu"}));
  EXPECT_EQ(window.path, "scene.ply");
  EXPECT_EQ(window.start.width, 640);
  EXPECT_EQ(window.device.backend, "cpu");
}

TEST(Options, FoldersLoseTheSlashAtTheirEnd) {
  const TempFolder folder;
  folder.write("is.ply/file", "");
  const Options train = parsed({"--train", "scene//", "-o", "out/", "--masks", "a/b/", "--images", "images/"});
  EXPECT_EQ(train.input, "scene");
  EXPECT_EQ(train.output, "out");
  EXPECT_EQ(train.dataset.masks_folder, "a/b");
  EXPECT_EQ(train.dataset.images_folder, "images");
  EXPECT_EQ(parsed({"--train", "/", "-o", "./"}).input, "/");
  EXPECT_EQ(parsed({"--train", "scene", "-o", folder.path().string() + "/is.ply/"}).output, folder.path() / "is.ply");
  EXPECT_EQ(parsed({"--train", "scene", "-o", folder.path().string() + "/no.ply/"}).output.filename(), "");
}

TEST(Options, EveryOptionIsExplained) {
  Options options;
  for (const OptionRow& row : option_table(options)) EXPECT_FALSE(row.help.empty()) << "--" << row.name;
}

TEST(Options, HelpListsEveryOptionWithItsDefault) {
  Options options, asked;
  asked.help_all = true;
  const std::string help = help_text(asked);
  for (const OptionRow& row : option_table(options)) EXPECT_TRUE(contains(help, " " + shown_name(row))) << row.name;
  EXPECT_TRUE(contains(help, "[30000]"));
}

TEST(Options, ThePagesOfTheCommandsHaveFiftyOptionsTogether) {
  Options options;
  std::set<std::string> listed;
  const std::vector<OptionRow> rows = option_table(options);
  for (const OptionRow& command : rows) {
    if (!is_command(command)) continue;
    const Options asked = parsed({command.name, "--help"});
    EXPECT_TRUE(asked.help);
    EXPECT_EQ(asked.verb, Verb(command.verbs));
    const std::string page = help_text(asked);
    EXPECT_TRUE(page.starts_with("hipsplat " + command.name)) << page;
    for (const OptionRow& row : rows)
      if (contains(page, "\n      --" + row.name + " ") || contains(page, ", --" + row.name + " ")) {
        EXPECT_TRUE(row.verbs & command.verbs) << row.name << " means nothing to " << command.name;
        listed.insert(row.name);
      }
  }
  EXPECT_LE(listed.size(), 50u);
  EXPECT_TRUE(listed.contains("crop-box") && listed.contains("iterations") && !listed.contains("densify-gradient"));
  EXPECT_FALSE(contains(help_text(parsed({"--help"})), "--crop-box"));
}

TEST(Options, HelpAllOfACommandListsAllOfItsOptionsAndNoOthers) {
  Options options;
  const std::vector<OptionRow> rows = option_table(options);
  for (const OptionRow& command : rows) {
    if (!is_command(command)) continue;
    const Options asked = parsed({command.name, "--help-all"});
    EXPECT_TRUE(asked.help_all);
    const std::string page = help_text(asked);
    EXPECT_TRUE(page.starts_with("hipsplat " + command.name)) << page;
    for (const OptionRow& row : rows)
      EXPECT_EQ(contains(page, " --" + row.name + (row.value.empty() ? "  " : " " + row.value)),
                !is_command(row) && (row.verbs & command.verbs))
          << command.name << " " << row.name;
  }
}

TEST(Options, ACommandIsAWord) {
  const Options options = parsed({"train", "data", "-o", "out", "-i", "7"});
  EXPECT_EQ(options.verb, kTrain);
  EXPECT_EQ(options.input, "data");
  EXPECT_EQ(options.train.iterations, 7);
  EXPECT_EQ(parsed({"doctor"}).verb, kDoctor);
  EXPECT_EQ(parsed({"./train"}).verb, kWindow) << "a folder of that name";
  EXPECT_EQ(parsed({"scene.ply", "train"}).verb, kWindow);
  EXPECT_EQ(parsed({"convert", "a.ply", "b.spz"}).output, "b.spz");
}

TEST(Options, SetTakesAnySettingByName) {
  const Options options = parsed({"train", "data", "-o", "out", "--set", "budget_dropout=0.1", "--set", "seed=5"});
  EXPECT_FLOAT_EQ(options.train.budget.dropout, 0.1f);
  EXPECT_EQ(options.train.seed, 5u);
  EXPECT_TRUE(options.was_given("budget-dropout") && options.was_given("seed"));
  EXPECT_TRUE(contains(refusal({"train", "d", "-o", "o", "--set", "budget-dropuot=1"}), "did you mean budget-dropout"));
  EXPECT_TRUE(contains(refusal({"train", "d", "-o", "o", "--set", "seed"}), "NAME=VALUE"));
  EXPECT_TRUE(contains(refusal({"train", "d", "-o", "o", "--set", "output=x"}), "no setting 'output'"));
}

TEST(Options, ValuesOutOfRangeAreNamedAsTheUserNamedThem) {
  EXPECT_TRUE(refusal({"--train", "data", "-o", "out", "--prune-opacity", "-1"})
                  .starts_with("--prune-opacity: prune_opacity is -1"));
  const TempFolder folder;
  const std::string file = folder.write("run.json", R"({"prune_opacity": -1})");
  EXPECT_TRUE(
      refusal({"--train", "data", "-o", "out", "--config", file}).starts_with("'" + file + "': prune_opacity is -1"));
  EXPECT_EQ(refusal({"--train", "data", "-o", "out", "--config", folder.write("bad.json", "{")}).find("''"),
            std::string::npos)
      << "quoted once";
}

TEST(Options, ACommandMayStandBeforeItsOptions) {
  const Options options = parsed({"--info", "--json", "--threads", "2", "file.ply"});
  EXPECT_EQ(options.verb, Verb::kInfo);
  EXPECT_EQ(options.input, "file.ply");
  EXPECT_TRUE(options.console.json);
}

TEST(Options, AnOptionInPlaceOfAValueIsNamed) {
  const std::string sentence = refusal({"--info", "--json"});
  EXPECT_TRUE(contains(sentence, "info needs a value") && contains(sentence, "'--json'")) << sentence;
}

}  // namespace
}  // namespace app
