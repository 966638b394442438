// A stand-in for colmap in tests: the commands that hipsplat calls, with the options, databases and output of 3.8
// or 4.1 (recorded/), working on made-up features in a second. Refuses options that its version does not know, as the
// real one does. The environment says what goes wrong:
//   FAKE_COLMAP_VERSION     3.8 (default) or 4.1.1
//   FAKE_COLMAP_FAIL        COMMAND=exit|segv|memory|disk; memory_of_threads: only with more than one thread
//   FAKE_COLMAP_REGISTERED  share of the photos that the mapper places with usual settings
//   FAKE_COLMAP_HALVES      the mapper makes two models of half the photos each, which share this many photos
//   FAKE_COLMAP_ADJUSTED    pixels of error after a bundle adjustment (default 0.7; of the mapper's models 0.8)
//   FAKE_COLMAP_ISLANDS     the second half of the photos shows something else than the first
//   FAKE_COLMAP_FEATURES    a photo (default 200)
//   FAKE_COLMAP_DELAY_MS    for each photo or pair
//   FAKE_COLMAP_HOLD        a file: while it is there the mapper stands still with its first snapshot
#include <signal.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::string variable(const char* name, const char* otherwise = "") {
  const char* value = std::getenv(name);
  return value ? value : otherwise;
}

const bool g_four = variable("FAKE_COLMAP_VERSION", "3.8")[0] == '4';

// As the real ones print: 3.8 to stdout, 4.1 to stderr behind a log's prefix.
void say(const std::string& line) {
  if (g_four)
    std::fprintf(stderr, "I20261122 10:27:53.236408 1403 fake.cc:1] %s\n", line.c_str());
  else
    std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

void wait_a_little() {
  std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(variable("FAKE_COLMAP_DELAY_MS", "0").c_str())));
}

void hold() {
  const std::string file = variable("FAKE_COLMAP_HOLD");
  while (!file.empty() && fs::exists(file)) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

using Arguments = std::map<std::string, std::string>;

std::set<std::string> known_options(const std::string& command) {
  std::ifstream file(fs::path(FAKE_COLMAP_RECORDED) / (g_four ? "options_4.1.txt" : "options_3.8.txt"));
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word != command) continue;
    std::set<std::string> options;
    while (words >> word) options.insert(word);
    return options;
  }
  return {};
}

class Database {
 public:
  explicit Database(const std::string& path) {
    sqlite3_open(path.c_str(), &handle_);
    sqlite3_busy_timeout(handle_, 60000);
    run("PRAGMA journal_mode=WAL");
    run("PRAGMA synchronous=OFF");
    run("CREATE TABLE IF NOT EXISTS cameras (camera_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, model INTEGER NOT "
        "NULL)");
    run("CREATE TABLE IF NOT EXISTS images (image_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name TEXT NOT NULL "
        "UNIQUE, camera_id INTEGER NOT NULL)");
    run(std::string("CREATE TABLE IF NOT EXISTS descriptors (image_id INTEGER PRIMARY KEY NOT NULL, ") +
        (g_four ? "type INTEGER NOT NULL, " : "") + "rows INTEGER NOT NULL, cols INTEGER NOT NULL, data BLOB)");
    run("CREATE TABLE IF NOT EXISTS matches (pair_id INTEGER PRIMARY KEY NOT NULL, rows INTEGER NOT NULL, cols INTEGER "
        "NOT NULL, data BLOB)");
    run("CREATE TABLE IF NOT EXISTS two_view_geometries (pair_id INTEGER PRIMARY KEY NOT NULL, rows INTEGER NOT NULL, "
        "cols INTEGER NOT NULL, data BLOB, config INTEGER NOT NULL)");
  }
  ~Database() { sqlite3_close(handle_); }
  void run(const std::string& sql, const std::vector<uint8_t>* blob = nullptr) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
      std::fprintf(stderr, "%s: %s\n", sql.c_str(), sqlite3_errmsg(handle_));
      std::exit(1);
    }
    if (blob) sqlite3_bind_blob64(statement, 1, blob->data(), blob->size(), SQLITE_STATIC);
    sqlite3_step(statement);
    sqlite3_finalize(statement);
  }
  // First columns of the rows.
  std::vector<std::vector<std::string>> rows(const std::string& sql) {
    std::vector<std::vector<std::string>> all;
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) return all;
    while (sqlite3_step(statement) == SQLITE_ROW) {
      std::vector<std::string> row;
      for (int i = 0; i < sqlite3_column_count(statement); ++i) {
        const unsigned char* text = sqlite3_column_text(statement, i);
        row.push_back(text ? reinterpret_cast<const char*>(text) : "");
      }
      all.push_back(row);
    }
    sqlite3_finalize(statement);
    return all;
  }

 private:
  sqlite3* handle_ = nullptr;
};

uint32_t mixed(uint32_t x) {
  x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu, x ^= x >> 16;
  return x;
}

// Photo i sees the points 20 i to 20 i + n: neighbours share most, the tenth next nothing.
std::vector<uint8_t> descriptors_of(int photo) {
  const int count = std::atoi(variable("FAKE_COLMAP_FEATURES", "200").c_str());
  const bool island = !variable("FAKE_COLMAP_ISLANDS").empty() && photo > 6;
  std::vector<uint8_t> bytes;
  for (int i = 0; i < count; ++i) {
    const uint32_t point = uint32_t(20 * photo + i + (island ? 100'000 : 0));
    float values[128], norm = 0;
    for (uint32_t k = 0; k < 128; ++k) {
      const float value = float(mixed(point * 128 + k) % 1000) / 1000;
      values[k] = value * value * value;
      norm += values[k] * values[k];
    }
    for (const float value : values) bytes.push_back(uint8_t(std::min(255.0f, 512 * value / std::sqrt(norm))));
  }
  return bytes;
}

int extract(const Arguments& arguments) {
  Database database(arguments.at("database_path"));
  std::ifstream list(arguments.at("image_list_path"));
  std::vector<std::string> names;
  for (std::string line; std::getline(list, line);) names.push_back(line);
  std::string camera =
      arguments.contains("ImageReader.existing_camera_id") ? arguments.at("ImageReader.existing_camera_id") : "";
  say("Feature extraction");
  for (size_t i = 0; i < names.size(); ++i) {
    say("Processed file [" + std::to_string(i + 1) + "/" + std::to_string(names.size()) + "]");
    say("  Name:            " + names[i]);
    if (!fs::exists(fs::path(arguments.at("image_path")) / names[i])) {
      say("  ERROR: Failed to read image file format.");
      continue;
    }
    if (!database.rows("SELECT 1 FROM images WHERE name = '" + names[i] + "'").empty()) {
      say("  SKIP: Features for image already extracted.");
      continue;
    }
    wait_a_little();
    if (camera.empty()) {
      database.run("INSERT INTO cameras(model) VALUES(2)");
      camera = database.rows("SELECT MAX(camera_id) FROM cameras")[0][0];
    }
    const std::vector<uint8_t> descriptors = descriptors_of(std::atoi(names[i].c_str()));
    database.run("BEGIN");
    database.run("INSERT INTO images(name, camera_id) VALUES('" + names[i] + "', " + camera + ")");
    database.run("INSERT INTO descriptors VALUES((SELECT image_id FROM images WHERE name = '" + names[i] + "'), " +
                     (g_four ? "0, " : "") + std::to_string(descriptors.size() / 128) + ", 128, ?)",
                 &descriptors);
    database.run("COMMIT");
    say("  Features:        " + std::to_string(descriptors.size() / 128) + (g_four ? " (SIFT)" : ""));
  }
  return 0;
}

int match(const Arguments& arguments) {
  Database database(arguments.at("database_path"));
  say("Custom feature matching");
  std::ifstream list(arguments.at("match_list_path"));
  for (std::string first, second; list >> first >> second;) {
    const auto id_of = [&](const std::string& name) {
      const auto rows = database.rows("SELECT image_id FROM images WHERE name = '" + name + "'");
      return rows.empty() ? uint64_t(0) : std::stoull(rows[0][0]);
    };
    const uint64_t a = std::min(id_of(first), id_of(second)), b = std::max(id_of(first), id_of(second));
    if (a == 0) {
      std::fprintf(stderr, "ERROR: Image %s %s does not exist.\n", first.c_str(), second.c_str());
      continue;
    }
    const std::string pair = std::to_string(2147483647 * a + b);
    if (!database.rows("SELECT 1 FROM two_view_geometries WHERE pair_id = " + pair).empty()) continue;
    const auto found = database.rows("SELECT rows FROM matches WHERE pair_id = " + pair);
    std::string count = found.empty() ? "0" : found[0][0];
    if (found.empty()) {  // its own matcher: by what the photos see
      const int shared = 200 - 20 * std::abs(std::atoi(first.c_str()) - std::atoi(second.c_str()));
      count = std::to_string(std::max(0, shared));
    } else if (!g_four) {
      database.run("DELETE FROM matches WHERE pair_id = " + pair);  // 3.8 does so before it verifies
    }
    wait_a_little();
    database.run("BEGIN");
    database.run("INSERT OR REPLACE INTO matches VALUES(" + pair + ", " + count + ", 2, x'')");
    database.run("INSERT INTO two_view_geometries VALUES(" + pair + ", " + count + ", 2, x'', 3)");
    database.run("COMMIT");
  }
  say(g_four ? "Processing block [1/1]" : "Matching block [1/1] in 0.010s");
  return 0;
}

// ---- models

struct FakeModel {
  std::vector<std::string> names;
  double error = 0.8;
};

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void write_file(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
}

void write_model(const fs::path& folder, const FakeModel& model) {
  fs::create_directories(folder);
  std::string cameras, images, points;
  put<uint64_t>(cameras, 1);
  put<uint32_t>(cameras, 1), put<int32_t>(cameras, 0), put<uint64_t>(cameras, 64), put<uint64_t>(cameras, 48);
  for (const double parameter : {60.0, 32.0, 24.0}) put(cameras, parameter);
  put<uint64_t>(images, model.names.size());
  for (size_t i = 0; i < model.names.size(); ++i) {
    put<uint32_t>(images, uint32_t(i + 1));
    for (const double value : {1.0, 0.0, 0.0, 0.0, 0.1 * double(i), 0.0, 2.0}) put(images, value);
    put<uint32_t>(images, 1);
    images += model.names[i] + '\0';
    put<uint64_t>(images, 1);
    put(images, 3.0), put(images, 4.0), put<uint64_t>(images, 1);
  }
  constexpr uint64_t kPoints = 50;
  put(points, kPoints);
  for (uint64_t i = 0; i < kPoints; ++i) {
    put<uint64_t>(points, i + 1);
    put(points, std::cos(double(i))), put(points, std::sin(double(i))), put(points, 0.02 * double(i));
    for (const uint8_t colour : {200, 100, 50}) put(points, colour);
    put(points, model.error);
    put<uint64_t>(points, 2);
    put<uint32_t>(points, 1), put<uint32_t>(points, 0), put<uint32_t>(points, 2), put<uint32_t>(points, 0);
  }
  write_file(folder / "cameras.bin", cameras);
  write_file(folder / "images.bin", images);
  write_file(folder / "points3D.bin", points);
  if (g_four) write_file(folder / "rigs.bin", "rigs"), write_file(folder / "frames.bin", "frames");
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::ifstream file(folder / "images.bin", std::ios::binary);
  uint64_t count = 0, observations = 0;
  file.read(reinterpret_cast<char*>(&count), 8);
  std::vector<std::string> names;
  for (uint64_t i = 0; i < count && file; ++i) {
    file.ignore(64);
    std::string name;
    std::getline(file, name, '\0');
    file.read(reinterpret_cast<char*>(&observations), 8);
    file.ignore(std::streamsize(observations * 24));
    names.push_back(name);
  }
  return names;
}

// The photos that hang together with most others, over pairs of 15 inliers or more.
std::vector<std::string> largest_island(Database& database) {
  std::map<uint64_t, std::string> names;
  for (const auto& row : database.rows("SELECT image_id, name FROM images")) names[std::stoull(row[0])] = row[1];
  std::map<uint64_t, std::set<uint64_t>> islands;
  std::map<uint64_t, uint64_t> island_of;
  for (const auto& [id, name] : names) islands[id] = {id}, island_of[id] = id;
  for (const auto& row : database.rows("SELECT pair_id FROM two_view_geometries WHERE rows >= 15")) {
    const uint64_t pair = std::stoull(row[0]);
    const uint64_t a = island_of[pair / 2147483647], b = island_of[pair % 2147483647];
    if (a == b) continue;
    for (const uint64_t id : islands[b]) islands[a].insert(id), island_of[id] = a;
    islands.erase(b);
  }
  std::vector<std::string> best;
  for (const auto& [root, ids] : islands) {
    std::vector<std::string> list;
    for (const uint64_t id : ids) list.push_back(names[id]);
    if (list.size() > best.size()) best = list;
  }
  std::sort(best.begin(), best.end());
  return best;
}

int map_photos(const Arguments& arguments) {
  Database database(arguments.at("database_path"));
  say("Loading database");
  std::vector<std::string> names = largest_island(database);
  const bool wider = arguments.contains("Mapper.min_num_matches");
  const double share = wider ? 1 : std::atof(variable("FAKE_COLMAP_REGISTERED", "1").c_str());
  names.resize(size_t(std::lround(share * double(names.size()))));
  if (names.size() < 3) {
    say("  => No good initial image pair found.");
    if (!g_four) std::printf("ERROR: failed to create sparse model\n");
    return 1;
  }
  FakeModel model;
  const bool goes_on = arguments.contains("input_path");
  if (goes_on) model.names = names_in(arguments.at("input_path"));
  if (!goes_on) say(g_four ? "Registering initial image pair #1 and #2" : "Initializing with image pair #1 and #2");
  const auto frequency = arguments.find(g_four ? "Mapper.snapshot_frames_freq" : "Mapper.snapshot_images_freq");
  for (const std::string& name : names) {
    if (std::find(model.names.begin(), model.names.end(), name) != model.names.end()) continue;
    say("Registering image #7 (" + std::string(g_four ? "num_reg_frames=" : "") +
        std::to_string(model.names.size() + (g_four ? 0 : 1)) + ")");
    wait_a_little();
    if (frequency != arguments.end() && model.names.size() >= size_t(std::atoi(frequency->second.c_str()))) hold();
    model.names.push_back(name);
    if (frequency != arguments.end() && model.names.size() % size_t(std::atoi(frequency->second.c_str())) == 0)
      write_model(fs::path(arguments.at("Mapper.snapshot_path")) / std::to_string(model.names.size()), model);
  }
  if (g_four) say("Keeping successful reconstruction");
  const fs::path output = arguments.at("output_path");
  if (const std::string shared = variable("FAKE_COLMAP_HALVES"); !shared.empty() && !goes_on) {
    const long middle = long(model.names.size() / 2), both = std::atol(shared.c_str());
    write_model(output / "0", {{model.names.begin(), model.names.begin() + middle + both}, model.error});
    write_model(output / "1", {{model.names.begin() + middle, model.names.end()}, model.error});
    return 0;
  }
  write_model(goes_on ? output : output / "0", model);
  return 0;
}

int adjust(const Arguments& arguments) {
  for (int i = 0; i < 20; ++i) wait_a_little();
  write_model(arguments.at("output_path"),
              {names_in(arguments.at("input_path")), std::atof(variable("FAKE_COLMAP_ADJUSTED", "0.7").c_str())});
  say("Bundle adjustment report");
  return 0;
}

int merge(const Arguments& arguments) {
  std::vector<std::string> names = names_in(arguments.at("input_path1"));
  const size_t first = names.size();
  const std::vector<std::string> others = names_in(arguments.at("input_path2"));
  for (const std::string& name : others)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  if (first + others.size() - names.size() < 3) {  // as the real one
    say("=> Merge failed");
    return 1;
  }
  write_model(arguments.at("output_path"), {names, 0.9});
  return 0;
}

int run_out_of_memory() {
  std::fprintf(stderr, "terminate called after throwing an instance of 'std::bad_alloc'\n");
  ::signal(SIGABRT, SIG_DFL);
  ::kill(::getpid(), SIGABRT);
  return 2;
}

int fail_as_asked(const std::string& command) {
  const std::string failure = variable("FAKE_COLMAP_FAIL");
  if (!failure.starts_with(command + "=")) return -1;
  const std::string kind = failure.substr(command.size() + 1);
  ::signal(SIGSEGV, SIG_DFL);  // a sanitizer would make an exit of it
  if (kind == "segv") ::kill(::getpid(), SIGSEGV);
  if (kind == "memory") return run_out_of_memory();
  if (kind == "memory_of_threads") return -1;
  if (kind == "disk") std::fprintf(stderr, "SQLite error [database.cc, line 1]: database or disk is full\n");
  if (kind == "exit") std::fprintf(stderr, "Check failed: something is odd\n");
  return 2;
}

}  // namespace

int main(int count, char** words) {
  const std::string command = count > 1 ? words[1] : "help";
  if (command == "help") {
    std::printf("COLMAP %s -- Structure-from-Motion and Multi-View Stereo\n",
                variable("FAKE_COLMAP_VERSION", "3.8").c_str());
    return 0;
  }
  const std::set<std::string> known = known_options(command);
  if (count > 2 && std::string(words[2]) == "-h") {
    for (const std::string& option : known) say("  --" + option + " arg (=0)");
    return 0;
  }
  if (const int code = fail_as_asked(command); code >= 0) return code;
  Arguments arguments;
  for (int i = 2; i + 1 < count; i += 2) {
    const std::string name = std::string(words[i]).substr(2);
    if (!known.contains(name)) {
      std::fprintf(stderr, "ERROR: Failed to parse options - unrecognised option '--%s'.\n", name.c_str());
      return 1;
    }
    arguments[name] = words[i + 1];
  }
  if (variable("FAKE_COLMAP_FAIL") == command + "=memory_of_threads" &&
      arguments["SiftExtraction.num_threads"] + arguments["FeatureExtraction.num_threads"] != "1")
    return run_out_of_memory();
  if (command == "feature_extractor") return extract(arguments);
  if (command == "matches_importer") return match(arguments);
  if (command == "mapper") return map_photos(arguments);
  if (command == "bundle_adjuster") return adjust(arguments);
  if (command == "model_merger") return merge(arguments);
  std::fprintf(stderr, "ERROR: Command `%s` not recognized.\n", command.c_str());
  return 1;
}
