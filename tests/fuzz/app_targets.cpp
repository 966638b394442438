#include "tests/fuzz/app_targets.h"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include "app/cli/serve/http_server.h"
#include "app/jobs/input/recognise.h"
#include "app/jobs/input/splat_input.h"
#include "app/settings/options.h"
#include "io/json.h"
#include "splat/core/check.h"
#include "splat/train/config.h"

namespace io::fuzz {
namespace {

namespace fs = std::filesystem;

void expect_sentence(const std::string& message) {
  SPLAT_CHECK(!message.empty());
  SPLAT_CHECK_EQ(message.find('\n'), std::string::npos);
}

// A folder that is emptied for every input, and removed at the end.
class Place {
 public:
  Place() { fs::create_directories(path_); }
  ~Place() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& emptied() const {
    for (const auto& entry : fs::directory_iterator(path_)) fs::remove_all(entry.path());
    return path_;
  }

 private:
  fs::path path_ = fs::temp_directory_path() / ("hipsplat-fuzz-paths-" + std::to_string(::getpid()));
};

}  // namespace

// Settings that are accepted are written and accepted again.
void settings(std::string_view bytes) {
  const auto json = parse_json(bytes, "file");
  if (!json) return expect_sentence(json.error().message);
  app::Options options;
  if (const splat::Status status = app::apply_settings(*json, "'file'", options); !status)
    return expect_sentence(status.error().message);
  if (const splat::Status status = splat::check_config(splat::resolve_config(options.train)); !status)
    return expect_sentence(status.error().message);
  app::Options again;
  SPLAT_CHECK(app::apply_settings(app::settings_json(options), "'file'", again).ok());
}

void path_kind(std::string_view bytes) {
  static const Place place;
  constexpr std::array kNames{"cameras.json",
                              "meta.json",
                              "transforms.json",
                              "transforms_train.json",
                              "config.json",
                              "run.checkpoint",
                              "a.ply",
                              "a.spz",
                              "file",
                              "checkpoints/iteration_7.checkpoint",
                              "sparse/0/cameras.txt",
                              "point_cloud/iteration_7/point_cloud.ply"};
  if (bytes.empty()) return;
  const fs::path& folder = place.emptied();
  const fs::path file = folder / kNames[uint8_t(bytes[0]) % kNames.size()];
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary).write(bytes.data() + 1, std::streamsize(bytes.size() - 1));
  for (const fs::path& path : {file, folder}) {
    const app::Recognised found = app::recognise(path);
    SPLAT_CHECK(found.path.string().starts_with(folder.string()));
    if (const auto input = app::read_splat_input(path, 1); !input) expect_sentence(input.error().message);
  }
}

// What a connection of a stranger begins with. Without the token nothing of the scene comes back.
void http_request(std::string_view bytes) {
  static app::Board board;
  static const std::string token = "abcdefghijklmnopqrstuvwxyz012345";
  static const app::Site site({token, true, true}, board);
  static const bool filled = [] {
    board.put_page("<the scene>");
    board.put_splats("<the scene>");
    board.put_pair({0, 7, 20, "<the scene>"});
    return board.put_status("<the scene>");
  }();
  SPLAT_CHECK(filled);
  const std::string answer = app::http_answer(site, bytes);
  SPLAT_CHECK(answer.empty() || answer.starts_with("HTTP/1."));
  const bool shown = answer.find("<the scene>") != std::string::npos;
  const app::ServeCommand command = board.take_command();
  if (shown || command != app::ServeCommand::kNone) SPLAT_CHECK(bytes.find(token) != std::string_view::npos);
}

}  // namespace io::fuzz
