#include "io/dataset/moved_files.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "io/files_below.h"
#include "io/name_key.h"

namespace io {

namespace fs = std::filesystem;

namespace {

std::string stem_of(std::string_view name) { return name_key(without_extension(last_part(name))); }

// Without its last `parts`.
std::string_view beginning_of(std::string_view name, size_t parts) {
  for (; parts > 0; --parts) name.remove_suffix(std::min(name.size(), last_part(name).size() + 1));
  return name;
}

// "rest" of "first/rest"; empty: it does not begin so.
std::string_view behind(std::string_view name, std::string_view first) {
  if (!name.starts_with(first)) return {};
  name.remove_prefix(first.size());
  if (name.starts_with('/')) return name.substr(1);
  return first.empty() ? name : std::string_view();
}

// The names below the dataset by the stem of their files.
class FilesByStem {
 public:
  FilesByStem(const fs::path& root, const MovedFiles& files) {
    for (std::string& name : files_below(root))
      if (files.fits(name) && !files.taken.contains((root / name).lexically_normal()))
        names_.emplace(stem_of(name), std::move(name));
  }

  struct Best {
    std::string name;  // empty: none, or several as good
    size_t common = 0;
  };
  Best best(std::string_view written) const {
    Best best;
    bool same_file = false;  // with its extension
    const auto [begin, end] = names_.equal_range(stem_of(written));
    for (auto it = begin; it != end; ++it) {
      const size_t common = common_end(written, it->second);
      const bool same = lower(last_part(written)) == lower(last_part(it->second));
      if (std::pair(common, same) == std::pair(best.common, same_file)) best.name.clear();
      if (std::pair(common, same) <= std::pair(best.common, same_file)) continue;
      best = {it->second, common};
      same_file = same;
    }
    return best;
  }

 private:
  std::multimap<std::string, std::string> names_;
};

// Takes from each path what another one has a better claim to, or as good a one.
void keep_one_to_one(const std::vector<fs::path>& written, std::vector<FilesByStem::Best>& best) {
  std::map<std::string, std::vector<size_t>> claims;
  for (size_t i = 0; i < best.size(); ++i)
    if (!best[i].name.empty()) claims[best[i].name].push_back(i);
  for (const auto& [name, paths] : claims) {
    size_t longest = 0;
    for (const size_t i : paths) longest = std::max(longest, best[i].common);
    std::set<fs::path> as_good;  // a mask that is named for several photos is one path
    for (const size_t i : paths)
      if (best[i].common == longest) as_good.insert(written[i]);
    for (const size_t i : paths)
      if (best[i].common < longest || as_good.size() > 1) best[i].name.clear();
  }
}

struct Move {
  std::string from, to;  // folders
  size_t common = 0, files = 0;
};

}  // namespace

std::vector<fs::path> find_moved(const fs::path& root, const MovedFiles& files) {
  std::vector<fs::path> found(files.written.size());
  if (found.empty()) return found;
  const FilesByStem listing(root, files);
  std::vector<FilesByStem::Best> best;
  for (const fs::path& path : files.written) best.push_back(listing.best(path.generic_string()));
  keep_one_to_one(files.written, best);
  std::map<std::pair<std::string, std::string>, Move> by_folders;
  for (size_t i = 0; i < best.size(); ++i) {
    const std::string name = files.written[i].generic_string();
    const auto& [where, common] = best[i];
    if (where.empty() || common < files.least) continue;
    const std::string from(beginning_of(name, common)), to(beginning_of(where, common));
    Move& move = by_folders.try_emplace({from, to}, Move{from, to, common, 0}).first->second;
    ++move.files;
  }
  std::vector<Move> moves;
  for (const auto& [folders, move] : by_folders) moves.push_back(move);
  std::stable_sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.files > b.files; });
  for (const Move& move : moves) {
    // What fewer say counts where the name of a folder confirms it: r_0 of another folder may be another photo.
    if (&move != &moves.front() && move.common < 2) continue;
    for (size_t i = 0; i < found.size(); ++i) {
      const std::string name = files.written[i].generic_string();
      const std::string_view rest = behind(name, move.from);
      if (!found[i].empty() || rest.empty() || best[i].name.empty()) continue;
      if (name_key(without_extension(behind(best[i].name, move.to))) == name_key(without_extension(rest)))
        found[i] = root / best[i].name;
    }
  }
  return found;
}

}  // namespace io
