#include "studio/window/dropped.h"

#include <algorithm>
#include <system_error>

#include "io/dataset/photo_folder.h"
#include "splat/core/counted.h"
#include "splat/core/lower_case.h"
#include "studio/window/workspace.h"

namespace studio {

namespace fs = std::filesystem;

namespace {

bool is_photo(const fs::path& path) {
  const std::string name = path.filename().string();
  return io::is_picture(name) || io::is_unread_picture(name);
}

bool ends_with_one(const fs::path& path, const std::vector<std::string>& endings) {
  const std::string name = splat::lower_case(path.filename().string());
  return std::any_of(endings.begin(), endings.end(), [&](const std::string& ending) { return name.ends_with(ending); });
}

std::string names_of(const std::vector<fs::path>& paths) {
  constexpr size_t kNamed = 3;
  std::string names;
  for (size_t i = 0; i < std::min(kNamed, paths.size()); ++i)
    names += (i > 0 ? ", '" : "'") + paths[i].filename().string() + "'";
  return paths.size() > kNamed ? names + ", ..." : names;
}

}  // namespace

bool opens_photos(const std::vector<fs::path>& more) { return !more.empty() && is_photo(more.front()); }

Dropped sorted(const std::vector<fs::path>& paths, const std::vector<std::string>& splats,
               const std::vector<std::string>& opened) {
  if (paths.size() < 2) return {paths.empty() ? fs::path() : paths.front(), {}, ""};
  std::vector<fs::path> of_splats, photos, others, rest;
  for (const fs::path& path : paths) {
    std::error_code code;
    const bool folder = fs::is_directory(path, code);
    const bool is_splats = !folder && (splats.empty() ? !is_photo(path) : ends_with_one(path, splats));
    (is_splats                               ? of_splats
     : !folder && is_photo(path)             ? photos
     : folder || ends_with_one(path, opened) ? others
                                             : rest)
        .push_back(path);
  }
  Dropped dropped;
  const auto leave_out = [&](const std::vector<fs::path>& left, size_t from = 0) {
    rest.insert(rest.begin(), left.begin() + std::ptrdiff_t(from), left.end());
  };
  if (!of_splats.empty()) {
    leave_out(others), leave_out(photos);
    dropped.first = of_splats.front();
    dropped.more.assign(of_splats.begin() + 1, of_splats.end());
  } else if (!others.empty()) {
    leave_out(others, 1), leave_out(photos);
    dropped.first = others.front();
  } else if (photos.size() > 1) {
    dropped.first = photos.front().parent_path();
    dropped.more = photos;
  } else if (!photos.empty()) {
    dropped.first = photos.front();
  }
  if (rest.empty()) return dropped;
  const std::string left = splat::counted(rest.size(), "of the dropped files was", "of the dropped files were");
  dropped.problem = left + " not opened (" + names_of(rest) + "): drop splats, photos or one folder at a time";
  return dropped;
}

void drop(Workspace& work, const std::vector<fs::path>& paths) {
  const Abilities known = work.received.devices.value_or(Abilities());
  const Dropped dropped = sorted(paths, known.splat_endings, known.endings);
  if (!dropped.first.empty()) work.open(dropped.first, dropped.more);
  if (dropped.problem.empty()) return;
  work.received.errors.push_back({NoticeKind::kError, dropped.problem, "Open"});
  work.received.add_log_line(NoticeKind::kError, dropped.problem);
}

}  // namespace studio
