#include "align/causes.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "io/text.h"

namespace align {

namespace {

constexpr uint32_t kClearInliers = 60;                 // of a pair that COLMAP itself would add a photo by, twice over
constexpr uint64_t kNearlyNothing = 4 << 20;           // bytes of a disk; features of one photo are 0.5 MB
constexpr int kPanoramic = 5, kPlanarOrPanoramic = 6;  // COLMAP's configurations of a pair

size_t root_of(std::vector<size_t>& parents, size_t i) {
  while (parents[i] != i) i = parents[i] = parents[parents[i]];
  return i;
}

std::string span_text(const std::vector<std::string>& names) {
  const std::string count = std::to_string(names.size());
  return names.size() == 1 ? "1 (" + names.front() + ")" : count + " (" + names.front() + " to " + names.back() + ")";
}

std::string components_text(const PhotoGraph& graph) {
  constexpr size_t kShown = 4;
  std::string text;
  for (size_t i = 0; i < std::min(kShown, graph.components.size()); ++i)
    text += (i == 0 ? "" : ", ") + span_text(graph.components[i]);
  if (graph.components.size() > kShown) text += " and " + std::to_string(graph.components.size() - kShown) + " more";
  return text;
}

// Those of the missing that clearly show what two or more of the placed ones show.
std::vector<std::string> missing_without_reason(const PhotoGraph& graph, const std::vector<std::string>& missing) {
  constexpr ptrdiff_t kSeveral = 2;
  const std::set<std::string> gone(missing.begin(), missing.end());
  std::vector<std::string> names;
  for (const std::string& name : missing) {
    const auto strong = graph.strong_matches.find(name);
    if (strong == graph.strong_matches.end()) continue;
    const auto placed = std::count_if(strong->second.begin(), strong->second.end(),
                                      [&](const std::string& other) { return !gone.contains(other); });
    if (placed >= kSeveral) names.push_back(name);
  }
  return names;
}

}  // namespace

PhotoGraph graph_of(const std::vector<DatabaseImage>& images, const std::map<ImagePair, Verified>& verified,
                    const std::map<std::string, std::string>& names) {
  PhotoGraph graph;
  std::map<uint32_t, size_t> index;
  const auto name_of = [&](size_t i) {
    const auto name = names.find(images[i].name);
    return name == names.end() ? images[i].name : name->second;
  };
  for (size_t i = 0; i < images.size(); ++i) index[images[i].id] = i;
  std::vector<size_t> parents(images.size());
  std::iota(parents.begin(), parents.end(), size_t(0));
  for (const auto& [pair, found] : verified) {
    if (found.inliers < kLeastInliers || !index.contains(pair.first) || !index.contains(pair.second)) continue;
    ++graph.pairs;
    graph.rotation_only += found.config == kPanoramic || found.config == kPlanarOrPanoramic;
    const size_t a = index[pair.first], b = index[pair.second];
    parents[root_of(parents, a)] = root_of(parents, b);
    if (found.inliers < kClearInliers) continue;
    graph.strong_matches[name_of(a)].insert(name_of(b));
    graph.strong_matches[name_of(b)].insert(name_of(a));
  }
  std::map<size_t, std::vector<std::string>> members;
  for (size_t i = 0; i < images.size(); ++i) members[root_of(parents, i)].push_back(name_of(i));
  for (auto& [root, photos] : members) {
    std::sort(photos.begin(), photos.end());
    if (photos.size() == 1)
      graph.isolated.push_back(photos.front());
    else
      graph.components.push_back(std::move(photos));
  }
  std::sort(graph.isolated.begin(), graph.isolated.end());
  std::sort(graph.components.begin(), graph.components.end(),
            [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() > b.size() : a < b; });
  return graph;
}

std::string explain(const PhotoGraph& graph, size_t photos, size_t registered,
                    const std::vector<std::string>& missing) {
  const std::string alone =
      graph.isolated.empty() ? "" : "; these share nothing with any other: " + io::first_names(graph.isolated);
  if (graph.pairs == 0)
    return "no two photos show the same things from near enough places: take them in small steps around the subject, " +
           std::string("each overlapping the next by two thirds");
  if (graph.rotation_only * 2 > graph.pairs)
    return "the camera seems to have turned on the spot in " + std::to_string(graph.rotation_only) + " of " +
           std::to_string(graph.pairs) + " pairs of photos: without steps to the side nothing has a depth";
  if (const auto moved = missing_without_reason(graph, missing); moved.size() * 2 > missing.size())
    return std::to_string(moved.size()) + " of them clearly show what the others show, but from no place that fits: " +
           "something large moved between the photos, or things that look alike stand in several places; " +
           io::first_names(moved);
  if (graph.components.size() > 1)
    return "the photos fall into " + std::to_string(graph.components.size()) +
           " groups with no overlap between them: " + components_text(graph) + alone +
           "; photos in between would join them";
  if (graph.isolated.size() * 5 > photos) return "too little overlap" + alone + "; photos in between would help";
  if (registered == 0)
    return "the photos overlap, but no two of them fix a first pair of cameras: the steps between them are too "
           "small, " +
           std::string("or the subject moved between photos") + alone;
  return "the others overlap too little with those that found their place, or something moved between photos" + alone;
}

std::string missing_beside(const std::vector<std::string>& all, const std::vector<std::string>& missing) {
  constexpr size_t kShown = 5;
  const std::set<std::string> gone(missing.begin(), missing.end());
  std::vector<std::string> texts;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!gone.contains(all[i])) continue;
    const bool before = i > 0 && !gone.contains(all[i - 1]), behind = i + 1 < all.size() && !gone.contains(all[i + 1]);
    texts.push_back(all[i] + (before   ? " (next to " + all[i - 1] + ")"
                              : behind ? " (next to " + all[i + 1] + ")"
                                       : ""));
  }
  std::string text;
  for (size_t i = 0; i < std::min(kShown, texts.size()); ++i) text += (i == 0 ? "" : ", ") + texts[i];
  if (texts.size() > kShown) text += " and " + std::to_string(texts.size() - kShown) + " more";
  return text;
}

std::string lack_of_room(const std::filesystem::path& folder, uint64_t available) {
  std::error_code code;
  if (!std::filesystem::exists(folder, code))
    return "the folder '" + folder.string() + "' was removed while it was in use; the same command begins anew";
  if (available >= kNearlyNothing) return {};
  return "the disk that holds '" + folder.string() + "' is full (" + std::to_string(available / 1024) +
         " KiB are left); make room, and the same command goes on where it was";
}

}  // namespace align
