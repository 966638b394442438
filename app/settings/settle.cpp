// Settings out of JSON, and what follows from settings that are all set: contradictions among them, paths.
#include <fmt/format.h>

#include <algorithm>

#include "app/settings/foreign_options.h"
#include "app/settings/options.h"
#include "app/settings/suggest.h"
#include "app/settings/tasks.h"
#include "io/bytes.h"
#include "io/files_below.h"
#include "io/io.h"
#include "io/json.h"

namespace app {

namespace fs = std::filesystem;
using nlohmann::json;
using splat::Error;
using splat::Status;

namespace {

constexpr size_t kMaxConfigBytes = size_t(1) << 20;
constexpr int kLargestThumbnail = 1024;  // px; file managers ask for no more

std::string verb_name(Verb verb, const std::vector<OptionRow>& rows) {
  for (const OptionRow& row : rows)
    if (is_command(row) && row.verbs == unsigned(verb)) return row.name;
  return "";
}

// A sentence of check_config(), "prune_opacity is -1 but ...", with the setting called as the user called it: by its
// option, or as a line of the --config file.
std::string as_typed(const std::string& sentence, const Options& options) {
  const size_t end = sentence.find(' ');
  std::string field = sentence.substr(0, end);
  if (field == "background_colour") field = "background";
  const std::string name = with_dashes(field);
  if (options.typed.contains(name)) return "--" + name + ": " + field + sentence.substr(end);
  if (options.given.contains(name))
    return fmt::format("'{}': {}{}", options.config.string(), field, sentence.substr(end));
  return sentence;
}

// A folder is to be written, and the name is that of a file: unless there is such a folder.
Outcome check_folder_name(const fs::path& output, const char* what) {
  std::error_code code;
  const std::string ending = io::lower(output.extension().string());
  for (const char* of_a_file :
       {".txt", ".md",  ".json", ".yaml", ".yml", ".xml", ".csv", ".log", ".pdf", ".html", ".png", ".jpg",  ".jpeg",
        ".tif", ".bmp", ".gif",  ".webp", ".exr", ".mp4", ".mov", ".mkv", ".avi", ".webm", ".zip", ".tar",  ".gz",
        ".obj", ".mtl", ".stl",  ".npz",  ".pt",  ".pth", ".sh",  ".py",  ".ply", ".spz",  ".sog", ".ckpt", ".glb"})
    if (ending == of_a_file && !fs::is_directory(output, code))
      return bad_input(fmt::format("{}, and '{}' is the name of a file: choose a name without the ending '{}'", what,
                                   output.string(), output.extension().string()));
  return done();
}

Outcome checked_film(const Options& options, const fs::path& output) {
  const auto status = check_film(render_task(options).film, output);
  return status ? done() : bad_input(status.error());
}

// A film needs a path.
Outcome check_render(const Options& options) {
  const FilmSettings& film = options.film;
  if (film.path.empty()) {
    for (const char* name : {"fps", "seconds", "crf", "range", "slurm", "task", "projection", "transparent", "depth",
                             "samples", "shutter", "aperture", "size"})
      if (options.typed.contains(name))
        return bad_input(fmt::format("--{} is about a film: give --path FILE, orbit, wiggle or photos", name));
    if (options.cameras.empty())
      return bad_input("render needs --cameras DATASET|cameras.json: the views to render; or --path, for a film");
  }
  if (options.output.empty()) return bad_input("render needs -o DIR: the folder for the pictures; or FILM.mp4");
  const bool file = is_film_name(options.output);
  if (file && film.path.empty())
    return bad_input(
        fmt::format("'{}' is a film, which needs --path FILE, orbit, wiggle or photos", options.output.string()));
  if (film.slurm > 0 && film.tasks > 0)
    return bad_input("--slurm writes a script whose tasks give --task themselves: leave out one of them");
  return film.path.empty() ? check_folder_name(options.output, "render writes pictures into a folder")
                           : checked_film(options, options.output);
}

Outcome check_training_film(const Options& options) {
  const fs::path& output = options.film.of_training;
  if (!output.empty()) return checked_film(options, output);
  for (const char* name : {"path", "fps", "seconds", "crf", "size"})
    if (options.typed.contains(name))
      return bad_input(fmt::format("--{} of train is about its film: give --film FILM.mp4 as well", name));
  return done();
}

Outcome check_one_served(const Options& options) {
  if (options.also.empty()) return done();
  std::error_code code;
  for (const fs::path& word : options.also)
    if (const auto format = io::splat_format_by_extension(word); !fs::exists(word, code) && format && !*format)
      return bad_input(
          fmt::format("'{}' is no file, nor what --serve takes: a port from 1 to 65535, such as 8080, or "
                      "an address with one, such as 0.0.0.0:8080",
                      word.string()));
  return bad_input("--serve serves one scene; convert joins several splat files");
}

Outcome check_verb(const Options& options, const std::vector<OptionRow>& rows) {
  const std::string verb = verb_name(options.verb, rows);
  for (const std::string& name : options.typed) {
    const OptionRow* row = find_row(rows, name);
    if (row && !(row->verbs & options.verb) && options.verb == kWindow)
      return bad_input(fmt::format(
          "--{} does not apply to the window: give a command such as train DATASET -o OUT (see --help)", name));
    if (row && !(row->verbs & options.verb))
      return bad_input(fmt::format("--{} does not apply to {}; leave it out", name, verb));
  }
  if (options.verb == kWindow && options.console.json && !options.serve.asked)
    return bad_input("--json does not apply to the window: give a command such as info FILE (see --help)");
  if (options.verb == kWindow && options.window.screenshot.empty() && options.window.screenshot_after >= 0)
    return bad_input("--after is the time of --screenshot; give that as well");
  if (options.verb == kWindow && options.typed.contains("size") &&
      (options.window.width < 320 || options.window.height < 240))
    return bad_input("--size needs a width and height of at least 320x240 px for the window, such as 1600x900");
  if (options.verb == kThumbnail && std::max(options.window.width, options.window.height) > kLargestThumbnail)
    return bad_input(fmt::format("--size: a thumbnail has at most {} px a side", kLargestThumbnail));
  if (options.verb == kThumbnail && options.output.empty())
    return bad_input("thumbnail needs -o FILE: the picture, as .png");
  if (options.verb == kTrain && options.output.empty())
    return bad_input("train needs -o OUT: a .ply file, or a folder for splats, checkpoints and report");
  if (options.verb == kTrain)
    if (Outcome outcome = check_training_film(options); !outcome) return outcome;
  if (options.verb == kAlign && options.output.empty())
    return bad_input("align needs -o SCENE: the folder for the cameras, which hipsplat train then opens");
  if (options.verb == kAlign) return check_folder_name(options.output, "align writes a folder");
  if (options.verb == kRender)
    if (Outcome outcome = check_render(options); !outcome) return outcome;
  if (options.verb == kMesh && options.output.empty())
    return bad_input("mesh needs -o FILE: the mesh, as .glb, .obj or .ply");
  if (options.verb == kConvert && options.output.empty())
    return bad_input("convert needs two files, IN and OUT, such as: hipsplat convert scene.ply scene.spz");
  if (options.verb == kConvert && options.typed.contains("path") &&
      io::lower(options.output.extension().string()) != ".html")
    return bad_input(fmt::format("--path is what a web page plays: write a .html, not '{}'", options.output.string()));
  if (options.verb == kEvaluate && options.data.empty())
    return bad_input("evaluate needs --data DATASET: the photos to compare with");
  if (options.verb == kWindow && options.serve.asked) {
    if (options.input.empty())
      return bad_input(
          "--serve needs splats to serve, or a run: hipsplat SPLATS --serve, or hipsplat train DATASET -o OUT --serve");
    if (Outcome outcome = check_one_served(options); !outcome) return outcome;
    if (!options.window.screenshot.empty())
      return bad_input("--screenshot is of the window, which --serve does not open");
  }
  if (options.verb == kWindow && options.typed.contains("low-pass") && options.input.empty())
    return bad_input("--low-pass is of the splats that the window opens: name their file as well");
  if ((options.verb & (kRender | kEvaluate | kMesh | kWindow)) != 0)
    if (const Status status = splat::check_config(splat::resolve_config(options.train)); !status)
      return bad_input(as_typed(status.error().message, options));
  return done();
}

Outcome check_training(const Options& options) {
  auto format = io::splat_format_by_extension(options.output);
  if (!format) return bad_input(format.error());
  if (*format)
    for (const char* name : {"save-at", "checkpoint-every"})
      if (options.typed.contains(name))
        return bad_input(
            fmt::format("--{} needs a folder as -o: '{}' is a single file", name, options.output.string()));
  if (!*format)
    if (Outcome outcome = check_folder_name(
            options.output, options.verb == kBlocks ? "blocks plan writes a folder"
                                                    : "train writes a splat file (.ply and others) or a folder");
        !outcome)
      return outcome;
  if (options.minutes > 0 && options.was_given("iterations"))
    return bad_input("--minutes determines the number of iterations: leave out --iterations or --minutes");
  if (options.minutes > 0 && !options.resume.empty())
    return bad_input("--resume continues to a number of iterations: leave out --minutes");
  if (!options.resume.empty() && !options.init.empty())
    return bad_input("--resume continues with the splats of its checkpoint: leave out --init or --resume");
  if (options.train.region_alone && options.train.region.empty() && options.resume.empty())
    return bad_input("--region-alone is about what lies around a --region; give one");
  if (!options.resume.empty()) return done();  // its settings come from the checkpoint and are checked there
  if (const Status status = splat::check_config(splat::resolve_config(options.train)); !status)
    return bad_input(as_typed(status.error().message, options));
  return done();
}

// --test-every and --test-images imply --eval, but where a --config file says whether to hold out (as config.json does,
// which has all three); of the two, the one on the command line wins over the file's.
void settle_hold_out(Options& options) {
  const bool every = options.typed.contains("test-every"), named = options.typed.contains("test-images");
  if (every && !named) options.dataset.test_images.clear();
  const bool in_file =
      !options.was_given("eval") && (options.was_given("test-every") || options.was_given("test-images"));
  if (every || named || in_file || options.verb == kEvaluate) options.dataset.eval = true;
}

// Without the slash at the end of a folder's name. Where memory is refused while a name is appended to a path with one,
// libstdc++ destroys what it has destroyed before (path::operator/=, GCC 12). "name.ply/" needs its slash: as long as
// there is no such folder it says that one is meant.
void drop_slash(fs::path& path) {
  if (path.has_filename() || path.relative_path().empty()) return;
  const fs::path plain = path.parent_path();
  std::error_code code;
  if (!plain.has_extension() || fs::is_directory(plain, code)) path = plain;
}

void settle_paths(Options& options) {
  for (fs::path* path : {&options.input, &options.output, &options.cameras, &options.data, &options.resume,
                         &options.init, &options.film.of_training, &options.dataset.masks_folder})
    drop_slash(*path);
  for (fs::path& path : options.convert.inputs) drop_slash(path);
  for (fs::path& path : options.also) drop_slash(path);
  fs::path images = options.dataset.images_folder;
  drop_slash(images);
  options.dataset.images_folder = images.string();
}

// Photos and a device are for --clean alone, but that a web page has the views of photos.
Outcome check_conversion(const Options& options) {
  if (options.convert.clean && options.data.empty())
    return bad_input("--clean needs --data DATASET: the photos that say what does not belong there");
  if (options.convert.clean) return done();
  const auto format = io::output_splat_format(options.output);
  const bool page = format && *format == io::SplatFormat::kHtml;
  for (const char* name : {"data", "resolution", "images", "masks", "alpha", "eval", "test-every", "test-images",
                           "background", "backend", "device", "deterministic"})
    if (options.typed.contains(name) && !(page && name == std::string_view("data")))
      return bad_input(fmt::format("--{} applies to convert with --clean only; leave it out", name));
  return done();
}

Outcome check_contradictions(const Options& options, const std::vector<OptionRow>& rows) {
  if (Outcome outcome = check_verb(options, rows); !outcome) return outcome;
  if (options.typed.contains("test-images") && options.typed.contains("test-every"))
    return bad_input("--test-images and --test-every exclude each other; give one");
  if (options.verb == kConvert) return check_conversion(options);
  const bool plan = options.verb == kBlocks && options.blocks.action == BlocksAction::kPlan;
  return options.verb == kTrain || plan ? check_training(options) : done();
}

}  // namespace

Status give(const OptionRow& row, const std::string& text, Options& options) {
  SPLAT_TRY(row.set(text));
  options.given.insert(row.name);
  return {};
}

Outcome unknown_option(const std::string& argument, const std::vector<OptionRow>& rows) {
  const std::string word = argument.substr(0, argument.find('='));
  const std::string name = word.starts_with("--") ? with_dashes(word) : word;
  std::vector<std::string> known;
  for (const OptionRow& row : rows) known.push_back("--" + row.name);
  if (const std::string answer = answer_to_foreign(argument); !answer.empty())
    return bad_input(fmt::format("unknown option '{}'{}", argument, answer));
  const std::string near = nearest_word(name, known);
  return bad_input(fmt::format("unknown option '{}'{}", argument,
                               near.empty() ? "; --help lists them all" : fmt::format(" (did you mean {}?)", near)));
}

Status apply_settings(const json& settings, const std::string& source, Options& options) {
  if (!settings.is_object()) return Error{source + ": settings are a JSON object, {\"iterations\": 7000, ...}"};
  const std::vector<OptionRow> rows = option_table(options);
  const std::set<std::string> given_before = options.given;
  std::vector<std::string> known;
  for (const OptionRow& row : rows)
    if (row.in_config) known.push_back(with_underscores(row.name));
  for (const auto& [key, value] : settings.items()) {
    const OptionRow* row = find_row(rows, with_dashes(key));
    if (!row || !row->in_config) {
      const ForeignOption* foreign = foreign_option("--" + key);
      const std::string ours = foreign && foreign->ours.starts_with("--") ? std::string(foreign->ours.substr(2)) : "";
      const std::string near = nearest_word(with_underscores(ours.empty() ? key : ours), known);
      return Error{fmt::format("{}: there is no setting '{}'{}", source, key,
                               near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near))};
    }
    if (given_before.contains(row->name)) continue;
    auto text = typed_text(value);
    if (!text) return Error{fmt::format("{}: '{}' {}", source, key, text.error().message)};
    if (!*text) continue;
    if (const Status status = give(*row, **text, options); !status)
      return Error{source + ": " + status.error().message};
  }
  return {};
}

Status apply_config_file(Options& options) {
  SPLAT_ASSIGN_OR_RETURN(const std::string text, io::read_file(options.config));
  const std::string name = "'" + options.config.string() + "'";
  if (text.size() > kMaxConfigBytes) return Error{name + " is too large for a settings file"};
  SPLAT_ASSIGN_OR_RETURN(const json settings, io::parse_json(text, options.config.string()));
  return apply_settings(settings, name, options);
}

Outcome settle_options(Options& options) {
  settle_paths(options);
  if (const Status status = settle_places(options.convert); !status) return bad_input(status.error());
  settle_hold_out(options);
  options.dataset.threads = options.device.threads;
  return check_contradictions(options, option_table(options));
}

json settings_json(const Options& options) {
  Options copy = options;
  json settings = json::object();
  for (const OptionRow& row : option_table(copy)) {
    if (!row.in_config) continue;
    json value = row.get();
    if (!value.is_null()) settings[with_underscores(row.name)] = std::move(value);
  }
  return settings;
}

}  // namespace app
