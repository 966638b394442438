#include "app/settings/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "app/settings/box.h"

namespace app {

namespace edit = splat::edit;
using splat::Error;
using splat::Result;
using splat::Similarity;
using splat::Status;

namespace {

const char* const kConverting = "Converting (in this order)";

// `count` numbers separated by commas.
std::optional<std::vector<double>> numbers(const std::string& text, size_t count) {
  std::vector<double> values;
  for (const std::string& part : split_list(text)) {
    const std::optional<double> value = parse_number(part);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  if (values.size() != count) return std::nullopt;
  return values;
}

OptionRow convert_row(const char* name, const char* value, std::string help) {
  OptionRow row{kConverting, "", name, value, std::move(help), kConvert};
  row.in_config = false;
  row.get = [] { return nlohmann::json(); };
  return row;
}

OptionRow repair_row(edit::Repairs& repairs) {
  OptionRow row =
      convert_row("repair", "LIST",
                  "undo mistakes of other programs (info finds them): opacity (stored as 0..1 instead of "
                  "logit), scale (not as logarithm), colour (as 0..1 instead of f_dc), rotation (as x,y,z,w)");
  row.set = [&repairs](const std::string& text) -> Status {
    const std::vector<std::string> words = split_list(text);
    for (const std::string& word : words) {
      bool* const repair = word == "opacity"    ? &repairs.opacity
                           : word == "scale"    ? &repairs.scale
                           : word == "colour"   ? &repairs.colour
                           : word == "rotation" ? &repairs.rotation
                                                : nullptr;
      if (!repair)
        return Error{fmt::format(
            "--repair knows opacity, scale, colour and rotation, with commas between them, not '{}'", word)};
      *repair = true;
    }
    if (words.empty()) return Error{"--repair needs one or more of opacity, scale, colour and rotation"};
    return {};
  };
  return row;
}

OptionRow min_opacity_row(edit::FilterSettings& filters) {
  OptionRow row = convert_row("min-opacity", "0..1", "remove more transparent splats");
  row.set = [&filters](const std::string& text) -> Status {
    const std::optional<double> value = parse_number(text);
    if (!value || *value < 0 || *value > 1)
      return Error{fmt::format("--min-opacity needs a number from 0 to 1, not '{}'", text)};
    filters.min_opacity = *value;
    return {};
  };
  return row;
}

OptionRow clean_row(std::optional<splat::clean::Strength>& strength) {
  using splat::clean::Strength;
  std::vector<std::pair<std::string, std::optional<Strength>>> strengths;
  for (size_t i = 0; i < splat::clean::kStrengths; ++i) strengths.emplace_back(name_of(Strength(i)), Strength(i));
  return enum_row(convert_row("clean", "NAME",
                              "careful, normal or strong: remove floaters and whatever else the photos of --data speak "
                              "against; the report says what and why"),
                  &strength, strengths);
}

OptionRow crop_box_row(edit::FilterSettings& filters) {
  OptionRow row = convert_row("crop-box", kBoxValue,
                              "keep splats whose centre is in the box between two corners, or in one that the window "
                              "has saved");
  row.is_path = true;
  row.set = [&filters](const std::string& text) -> Status {
    SPLAT_ASSIGN_OR_RETURN(filters.crop_box, parse_box("crop-box", text));
    return {};
  };
  return row;
}

OptionRow crop_sphere_row(edit::FilterSettings& filters) {
  OptionRow row = convert_row("crop-sphere", "X,Y,Z,R", "keep splats whose centre is within R of the point");
  row.set = [&filters](const std::string& text) -> Status {
    const auto v = numbers(text, 4);
    if (!v || !((*v)[3] > 0))
      return Error{fmt::format("--crop-sphere needs a centre and a radius, x,y,z,r such as 0,0,0,2.5, not '{}'", text)};
    filters.crop_sphere = edit::Sphere{{(*v)[0], (*v)[1], (*v)[2]}, (*v)[3]};
    return {};
  };
  return row;
}

OptionRow transform_row(edit::FilterSettings& filters) {
  OptionRow row =
      convert_row("transform", "STEPS",
                  "move everything, colours included: \"rotate 90 0 0, scale 2, translate 0 0 1\", from left "
                  "to right; degrees about x, then y, then z");
  row.set = [&filters](const std::string& text) -> Status {
    SPLAT_ASSIGN_OR_RETURN(filters.transform, parse_transform(text));
    return {};
  };
  return row;
}

// "rotate 90 0 0" -> its word and numbers. '=', ':' and ';' count as blanks.
struct Step {
  std::string word;
  std::vector<double> values;
};
std::optional<Step> parse_step(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '=' || c == ':' || c == ';' || c == '\t'; }, ' ');
  Step step;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = text.find_first_not_of(' ', at);
    if (begin == std::string::npos) break;
    const size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    at = end;
    if (step.word.empty()) {
      step.word = word;
      continue;
    }
    const std::optional<double> value = parse_number(word);
    if (!value) return std::nullopt;
    step.values.push_back(*value);
  }
  return step;
}

Result<Similarity> similarity_of(const Step& step, const std::string& text) {
  const std::vector<double>& v = step.values;
  if (step.word == "rotate" && v.size() == 3) return Similarity{1, splat::quat_about_axes({v[0], v[1], v[2]}), {}};
  if (step.word == "scale" && v.size() == 1 && v[0] >= 1e-9 && v[0] <= 1e9) return Similarity{v[0], {1, 0, 0, 0}, {}};
  if (step.word == "translate" && v.size() == 3) return Similarity{1, {1, 0, 0, 0}, {v[0], v[1], v[2]}};
  return Error{
      fmt::format("--transform knows the steps 'rotate X Y Z' (degrees), 'scale S' (S > 0) and 'translate X Y "
                  "Z', with commas between them, not '{}'",
                  text)};
}

}  // namespace

Result<Similarity> parse_transform(const std::string& text) {
  Similarity all;
  const std::vector<std::string> parts = split_list(text);
  if (parts.empty()) return Error{"--transform needs steps such as \"rotate 90 0 0, scale 2, translate 0 0 1\""};
  for (const std::string& part : parts) {
    const std::optional<Step> step = parse_step(part);
    SPLAT_ASSIGN_OR_RETURN(const Similarity next, similarity_of(step.value_or(Step{}), part));
    all = next * all;
  }
  return all;
}

Status settle_places(ConvertOptions& options) {
  options.placed.assign(options.inputs.size(), std::nullopt);
  for (const std::string& place : options.places) {
    const auto is_meant = [&](const std::filesystem::path& input) { return place.starts_with(input.string() + "="); };
    const auto input = std::find_if(options.inputs.begin(), options.inputs.end(), is_meant);
    if (input == options.inputs.end())
      return Error{fmt::format("--place is FILE=STEPS with one of the inputs, such as '{}=rotate 0 90 0', not '{}'",
                               options.inputs.empty() ? "b.ply" : options.inputs.back().string(), place)};
    auto by = parse_transform(place.substr(input->string().size() + 1));
    if (!by) return Error{fmt::format("--place '{}': {}", place, by.error().message)};
    options.placed[size_t(input - options.inputs.begin())] = *by;
  }
  return {};
}

void add_convert_rows(std::vector<OptionRow>& rows, ConvertOptions& o) {
  OptionRow place = convert_row("place", "FILE=STEPS",
                                "of several inputs: move this one before they are merged, by the steps of --transform; "
                                "once for each that is to be moved");
  place.repeats = true;
  place.set = [&o](const std::string& text) -> Status {
    o.places.push_back(text);
    return {};
  };
  rows.push_back(place);
  rows.push_back(repair_row(o.filters.repairs));
  OptionRow invalid = flag_row(convert_row("drop-invalid", "", "remove splats that cannot be drawn: NaN, no rotation"),
                               &o.filters.drop_invalid);
  invalid.get = [] { return nlohmann::json(); };
  rows.push_back(invalid);
  rows.push_back(min_opacity_row(o.filters));
  rows.push_back(crop_box_row(o.filters));
  rows.push_back(crop_sphere_row(o.filters));
  rows.push_back(clean_row(o.clean));
  OptionRow align = path_row(convert_row("align-to", "SPLATS",
                                         "move and turn the result so that its surfaces lie on those of another file "
                                         "(ICP); they must lie about right, and may overlap in part"),
                             &o.align_to);
  align.get = [] { return nlohmann::json(); };
  rows.push_back(align);
  OptionRow transform = transform_row(o.filters);
  transform.help = "after --max-splats and --sh-degree: " + transform.help;
  rows.push_back(transform);
  OptionRow morton = flag_row(convert_row("morton", "",
                                          "order the splats along a Morton curve: neighbours in the file are "
                                          "neighbours in space"),
                              &o.filters.morton);
  morton.get = [] { return nlohmann::json(); };
  rows.push_back(morton);
  OptionRow survey = flag_row(convert_row("survey", "",
                                          "write positions in the coordinates of the survey that the cameras were in, "
                                          "in double precision (.ply); also of blocks merge and all"),
                              &o.survey);
  survey.verbs |= kBlocks;
  survey.get = [] { return nlohmann::json(); };
  rows.push_back(survey);
  OptionRow version = integer_row(convert_row("spz-version", "3|4", ""), &o.spz_version, 3, 4);
  version.help = "version of a .spz file: 3 for programs that do not read 4 yet (default: 4)";
  version.get = [] { return nlohmann::json(); };
  rows.push_back(version);
}

}  // namespace app
