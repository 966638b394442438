#include "app/jobs/blocks/city.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "app/jobs/input/run_folder.h"
#include "app/jobs/training/run_record.h"
#include "io/atomic_file.h"
#include "io/bytes.h"
#include "io/json.h"
#include "splat/core/fnv1a.h"

namespace app {

namespace fs = std::filesystem;
using nlohmann::json;
using splat::Error;
using splat::Result;
using splat::Status;
using splat::blocks::Cell;

namespace {

constexpr int kVersion = 1;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Infinity has no JSON: null, at either end.
json to_json(const Cell& cell) {
  const auto number = [](double value) { return std::isfinite(value) ? json(value) : json(); };
  return {{"low", {number(cell.low[0]), number(cell.low[1])}}, {"high", {number(cell.high[0]), number(cell.high[1])}}};
}

Cell cell_from(const json& object) {
  Cell cell;
  for (size_t axis = 0; axis < 2; ++axis) {
    const json &low = object.at("low").at(axis), &high = object.at("high").at(axis);
    cell.low[axis] = low.is_null() ? -kInfinity : low.get<double>();
    cell.high[axis] = high.is_null() ? kInfinity : high.get<double>();
  }
  return cell;
}

json colours_json(const std::vector<ScenePart::Colour>& colours) {
  json list = json::array();
  for (const auto& [view, c] : colours)
    list.push_back(
        {{"view", view}, {"gain", {c[0].gain, c[1].gain, c[2].gain}}, {"bias", {c[0].bias, c[1].bias, c[2].bias}}});
  return list;
}

// What blocks depend on.
json plan_json(const City& city) {
  json blocks = json::array();
  for (const Block& block : city.blocks)
    blocks.push_back({{"cell", to_json(block.cell)},
                      {"views", block.views},
                      {"training_views", block.training_views},
                      {"predicted_bytes", block.predicted_bytes},
                      {"iterations", block.iterations}});
  return {{"request", city.request},
          {"settings", city.settings},
          {"scaffold_iterations", city.scaffold_iterations},
          {"scaffold_splats", city.scaffold_splats},
          {"iterations", city.iterations},
          {"ground", {{"origin", city.ground.origin}, {"u", city.ground.u}, {"v", city.ground.v}}},
          {"bounds", to_json(city.bounds)},
          {"margin", city.margin},
          {"view_up", city.view_up},
          {"antialiased", city.antialiased},
          {"low_pass", city.low_pass},
          {"colours", colours_json(city.colours)},
          {"blocks", std::move(blocks)}};
}

void read_plan(const json& object, City& city) {
  object.at("request").get_to(city.request);
  city.settings = object.at("settings");
  city.scaffold_iterations = io::whole_number<int>(object.at("scaffold_iterations"), 0);
  city.scaffold_splats = io::whole_number<uint64_t>(object.at("scaffold_splats"));
  city.iterations = io::whole_number<int>(object.at("iterations"), 0);
  const json& ground = object.at("ground");
  ground.at("origin").get_to(city.ground.origin);
  ground.at("u").get_to(city.ground.u);
  ground.at("v").get_to(city.ground.v);
  city.bounds = cell_from(object.at("bounds"));
  object.at("margin").get_to(city.margin);
  object.at("view_up").get_to(city.view_up);
  object.at("antialiased").get_to(city.antialiased);
  city.low_pass = object.value("low_pass", splat::kUsualLowPass);
  for (const json& entry : object.at("colours")) {
    ScenePart::Colour& colour = city.colours.emplace_back();
    entry.at("view").get_to(colour.view);
    for (size_t c = 0; c < 3; ++c)
      colour.colour[c] = {entry.at("gain").at(c).get<double>(), entry.at("bias").at(c).get<double>()};
  }
  for (const json& entry : object.at("blocks")) {
    Block& block = city.blocks.emplace_back();
    block.cell = cell_from(entry.at("cell"));
    entry.at("views").get_to(block.views);
    block.training_views = io::whole_number<size_t>(entry.at("training_views"));
    block.predicted_bytes = io::whole_number<uint64_t>(entry.at("predicted_bytes"));
    block.iterations = io::whole_number<int>(entry.at("iterations"), 0);
  }
}

// The dataset where it lies relative to the folder, else where it was when the plan was made.
Result<fs::path> find_dataset(const json& places, const fs::path& folder) {
  std::error_code code;
  const fs::path beside = folder / fs::path(places.at("relative").get<std::string>());
  const fs::path before = places.at("absolute").get<std::string>();
  for (const fs::path& place : {beside, before})
    if (fs::is_directory(place, code)) return place.lexically_normal();
  return Error{fmt::format("the dataset of '{}' is neither '{}' nor '{}': put it there again", folder.string(),
                           beside.lexically_normal().string(), before.string())};
}

}  // namespace

std::string hash_text(std::string_view text) {
  splat::Fnv1a hash;
  hash.add(text);
  return fmt::format("{:016x}", hash.value());
}

fs::path City::block_folder(size_t block) const { return folder / "blocks" / fmt::format("{:03}", block); }

Cell City::trained_cell(size_t block) const { return splat::blocks::widened(blocks[block].cell, bounds, margin); }

Result<City> read_city(const fs::path& folder) {
  const fs::path file = city_file(folder);
  std::error_code code;
  if (!fs::is_directory(folder, code)) return Error{fmt::format("there is no folder '{}'", folder.string())};
  if (!has_city(folder))
    return Error{
        fmt::format("'{}' holds no plan (city.json): hipsplat blocks plan DATASET -o CITY makes one", folder.string())};
  SPLAT_ASSIGN_OR_RETURN(const std::string text, io::read_file(file));
  SPLAT_ASSIGN_OR_RETURN(const json object, io::parse_json(text, file.string()));
  City city;
  city.folder = folder;
  try {
    const auto version = io::whole_number<int64_t>(object.at("version"));
    if (version > kVersion)
      return Error{fmt::format("'{}' was made by a later hipsplat (version {} of its format)", file.string(), version)};
    read_plan(object, city);
    SPLAT_ASSIGN_OR_RETURN(city.dataset, find_dataset(object.at("dataset"), folder));
  } catch (const json::exception&) {
    return Error{fmt::format("'{}' is damaged: make the plan anew, in an empty folder", file.string())};
  }
  city.stamp = hash_text(json_line(plan_json(city)));
  return city;
}

Status write_city(const City& city) {
  std::error_code code;
  const fs::path dataset = fs::weakly_canonical(fs::absolute(city.dataset, code), code);
  const fs::path folder = fs::weakly_canonical(fs::absolute(city.folder, code), code);
  json object = plan_json(city);
  object["version"] = kVersion;
  object["dataset"] = {{"relative", dataset.lexically_relative(folder).string()}, {"absolute", dataset.string()}};
  return io::write_file_atomically(city_file(city.folder), json_text(object));
}

}  // namespace app
