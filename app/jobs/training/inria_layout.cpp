#include "app/jobs/training/inria_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <system_error>

namespace app {
namespace {

std::string python_string(const std::string& text) {
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\\' || c == '\'') quoted += '\\';
    if (c == '\n')
      quoted += "\\n";
    else
      quoted += c;
  }
  return quoted + "'";
}

const char* python_bool(bool value) { return value ? "True" : "False"; }

std::string absolute_path(const std::filesystem::path& path) {
  std::error_code code;
  const std::filesystem::path absolute = std::filesystem::absolute(path, code).lexically_normal();
  std::string text = (code ? path : absolute).string();
  if (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

// The value of `name` in "Namespace(a=1, b='x')", without quotes; nullopt: it is not there, or does not end.
std::optional<std::string> python_value(std::string_view text, const std::string& name) {
  size_t at = text.find("(" + name + "=");
  if (at == std::string_view::npos) at = text.find(" " + name + "=");
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + name.size() + 2);
  if (text.empty()) return std::nullopt;
  const char quote = text.front();
  if (quote != '\'' && quote != '"') {
    const size_t end = text.find_first_of(",)");
    return end == std::string_view::npos ? std::nullopt : std::optional(std::string(text.substr(0, end)));
  }
  std::string value;
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == quote) return value;
    if (text[i] == '\\' && i + 1 < text.size()) {
      ++i;
      value += text[i] == 'n' ? '\n' : text[i];
    } else {
      value += text[i];
    }
  }
  return std::nullopt;
}

// INRIA's divides the sides by 1, 2, 4 or 8 as ours does, but another number is the width there, the longest side here.
int inria_resolution(int resolution, const splat::Dataset& dataset) {
  if (resolution == 0) return -1;
  if (resolution == 1 || resolution == 2 || resolution == 4 || resolution == 8) return resolution;
  int width = 0;
  for (const splat::DatasetView& view : dataset.views) width = std::max(width, view.camera.width);
  return width > 0 ? width : resolution;
}

}  // namespace

std::optional<CfgArgs> parse_cfg_args(std::string_view text) {
  if (!text.starts_with("Namespace(")) return std::nullopt;
  const auto source = python_value(text, "source_path");
  if (!source || source->empty()) return std::nullopt;
  CfgArgs args;
  args.source = *source;
  args.images = python_value(text, "images").value_or("");
  const int64_t resolution = parse_integer(python_value(text, "resolution").value_or("")).value_or(0);
  if (resolution > 0 && resolution <= INT16_MAX) args.resolution = int(resolution);  // -1: full size
  args.eval = python_value(text, "eval") == "True";
  args.white_background = python_value(text, "white_background") == "True";
  return args;
}

std::string cfg_args_text(const Options& options, const splat::Dataset& dataset) {
  const std::string images = options.dataset.images_folder.empty() ? "images" : options.dataset.images_folder;
  return fmt::format(
      "Namespace(data_device='cpu', depths='', eval={}, images={}, model_path={}, resolution={}, sh_degree={}, "
      "source_path={}, "
      "train_test_exp=False, white_background={})",
      python_bool(options.dataset.eval), python_string(images), python_string(absolute_path(options.output)),
      inria_resolution(options.dataset.resolution, dataset), options.train.sh_degree,
      python_string(absolute_path(options.input)),
      python_bool(options.train.background == splat::BackgroundMode::kWhite));
}

}  // namespace app
