#include "app/inria_layout.h"

#include <fmt/format.h>

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

}  // namespace

std::string cfg_args_text(const Options& options) {
  const std::string images = options.dataset.images_folder.empty() ? "images" : options.dataset.images_folder;
  return fmt::format(
      "Namespace(data_device='cpu', depths='', eval={}, images={}, model_path={}, resolution={}, sh_degree={}, "
      "source_path={}, "
      "train_test_exp=False, white_background={})",
      python_bool(options.dataset.eval), python_string(images), python_string(absolute_path(options.output)),
      options.dataset.resolution == 0 ? -1 : options.dataset.resolution, options.train.sh_degree,
      python_string(absolute_path(options.input)),
      python_bool(options.train.background == splat::BackgroundMode::kWhite));
}

}  // namespace app
