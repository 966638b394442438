#include "io/splats/sog/sog_meta.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>

#include "io/json.h"
#include "io/names.h"
#include "io/text.h"
#include "splat/math/activation.h"

namespace io {

using nlohmann::json;

namespace {

constexpr double kLargest = kSogLargest, kLargestLogMean = kSogLargestLogMean;
constexpr double kOpacityMargin = 1e-6;  // bytes 0 and 255 stand for almost 0 and almost 1, as other readers take them
constexpr size_t kMaxCount = size_t(1) << 28;  // pixels of the largest WebP picture

void add_unknown(const json& object, const std::string& prefix, std::initializer_list<std::string_view> known,
                 std::vector<std::string>& unread) {
  if (!object.is_object()) return;
  for (const auto& [key, value] : object.items())
    if (!value.is_null() && std::find(known.begin(), known.end(), key) == known.end()) {
      const std::string quoted = in_quotes(prefix + key);
      unread.push_back(quoted.substr(1, quoted.size() - 2));
    }
}

class MetaParser {
 public:
  MetaParser(const json& root, const std::string& name) : root_(root), name_(name) {}

  Result<SogMeta> parse() {
    if (!root_.is_object() || !root_.contains("means")) return wrong("describes no splats (it has no 'means')");
    if (is_of_gsplat())
      return Error{"'" + name_ +
                   "' was compressed by gsplat (PngCompression), which hipsplat does not read: decompress it there "
                   "(PngCompression.decompress) and save the splats as PLY"};
    if (const json* version = find(root_, "version")) {
      if (!version->is_number_integer() || *version != 2)
        return wrong("is of version " + version->dump().substr(0, 20) + "; hipsplat reads versions 1 and 2");
    } else {
      meta_.version = 1;
    }
    SPLAT_TRY(read_count());
    read_tags();
    SPLAT_TRY(read_means());
    SPLAT_TRY(read_files("scales", {&meta_.scales}));
    SPLAT_TRY(read_files("quats", {&meta_.quats}));
    SPLAT_TRY(read_files("sh0", {&meta_.sh0}));
    SPLAT_TRY(meta_.version == 1 ? read_ranges() : read_codebooks());
    if (const json* higher = find(root_, "shN"); higher && !higher->is_null()) SPLAT_TRY(read_higher_bands(*higher));
    return std::move(meta_);
  }

 private:
  // gsplat names no pictures: they are called as the parts are, among which are opacities, which SOG has in sh0.
  bool is_of_gsplat() const {
    const json* means = find(root_, "means");
    return means && !find(*means, "files") && root_.contains("opacities");
  }

  Error wrong(const std::string& what) const { return Error{"'" + name_ + "': the meta.json of the SOG " + what}; }

  static const json* find(const json& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }

  // The object's array `key` of exactly (or, with `fewer`, at most) `count` numbers no larger than `largest`.
  Result<std::vector<double>> numbers(const char* part, const char* key, size_t count, double largest,
                                      bool fewer = false) const {
    const json* object = find(root_, part);
    const json* array = object ? find(*object, key) : nullptr;
    const std::string where = std::string(part) + "." + key;
    if (!array || !array->is_array() || array->empty() || array->size() > count || (array->size() < count && !fewer))
      return wrong("lacks '" + where + "', a list of " + std::to_string(count) + " numbers");
    std::vector<double> values;
    for (const json& element : *array) {
      if (!element.is_number() || !(std::abs(element.get<double>()) <= largest))
        return wrong("has something in '" + where + "' that is no number, or an absurdly large one");
      values.push_back(element.get<double>());
    }
    return values;
  }

  Status read_count() {
    const json* count = find(root_, "count");
    if (meta_.version == 1) {
      const json* shape = find(root_["means"], "shape");
      count = shape && shape->is_array() && !shape->empty() ? &shape->front() : nullptr;
    }
    if (!count || !count->is_number_unsigned() || count->get<uint64_t>() > kMaxCount)
      return wrong("does not give a usable number of splats");
    meta_.count = count->get<size_t>();
    return {};
  }

  void read_tags() {
    const json* asset = find(root_, "asset");
    const json* generator = asset ? find(*asset, "generator") : nullptr;
    if (generator && generator->is_string()) meta_.generator = generator->get<std::string>();
    const json* model = find(root_, "model");
    const json* antialias = find(root_, "antialias");
    meta_.antialiased = (model && *model == "antialiased") || (antialias && *antialias == true);
    meta_.flat = model && *model == "2dgs";
    add_unknown(root_, "",
                {"version", "count", "antialias", "model", "asset", "means", "scales", "quats", "sh0", "shN", "width",
                 "height"},
                meta_.unread);
    for (const char* part : {"means", "scales", "quats", "sh0", "shN"})
      if (const json* object = find(root_, part))
        add_unknown(
            *object, std::string(part) + ".",
            {"files", "mins", "maxs", "codebook", "count", "bands", "shape", "dtype", "encoding", "quantization"},
            meta_.unread);
  }

  Status read_files(const char* part, const std::vector<std::string*>& targets) {
    const json* object = find(root_, part);
    const json* files = object ? find(*object, "files") : nullptr;
    if (!files || !files->is_array() || files->size() < targets.size())
      return wrong("does not name the pictures of '" + std::string(part) + "'");
    for (size_t i = 0; i < targets.size(); ++i) {
      if (!(*files)[i].is_string()) return wrong("does not name the pictures of '" + std::string(part) + "'");
      *targets[i] = (*files)[i].get<std::string>();
    }
    return {};
  }

  Status read_means() {
    SPLAT_TRY(read_files("means", {&meta_.means_low, &meta_.means_high}));
    SPLAT_ASSIGN_OR_RETURN(const std::vector<double> low, numbers("means", "mins", 3, kLargestLogMean));
    SPLAT_ASSIGN_OR_RETURN(const std::vector<double> high, numbers("means", "maxs", 3, kLargestLogMean));
    std::copy(low.begin(), low.end(), meta_.mean_low.begin());
    std::copy(high.begin(), high.end(), meta_.mean_high.begin());
    return {};
  }

  static ByteTable linear(double low, double high) {
    ByteTable table;
    for (size_t i = 0; i < table.size(); ++i) table[i] = float(low + (high - low) * double(i) / 255);
    return table;
  }

  Status read_ranges() {  // version 1
    SPLAT_ASSIGN_OR_RETURN(const std::vector<double> scale_low, numbers("scales", "mins", 3, kLargest));
    SPLAT_ASSIGN_OR_RETURN(const std::vector<double> scale_high, numbers("scales", "maxs", 3, kLargest));
    SPLAT_ASSIGN_OR_RETURN(const std::vector<double> colour_low, numbers("sh0", "mins", 4, kLargest));
    SPLAT_ASSIGN_OR_RETURN(const std::vector<double> colour_high, numbers("sh0", "maxs", 4, kLargest));
    for (size_t c = 0; c < 3; ++c) {
      meta_.log_scale[c] = linear(scale_low[c], scale_high[c]);
      meta_.dc[c] = linear(colour_low[c], colour_high[c]);
    }
    meta_.logit_opacity = linear(colour_low[3], colour_high[3]);
    return {};
  }

  Result<ByteTable> codebook(const char* part) const {
    SPLAT_ASSIGN_OR_RETURN(const std::vector<double> values, numbers(part, "codebook", 256, kLargest, true));
    ByteTable table;
    table.fill(std::numeric_limits<float>::quiet_NaN());
    std::copy(values.begin(), values.end(), table.begin());
    return table;
  }

  Status read_codebooks() {  // version 2
    SPLAT_ASSIGN_OR_RETURN(const ByteTable scales, codebook("scales"));
    SPLAT_ASSIGN_OR_RETURN(const ByteTable colours, codebook("sh0"));
    meta_.log_scale.fill(scales);
    meta_.dc.fill(colours);
    for (size_t i = 0; i < 256; ++i)
      meta_.logit_opacity[i] =
          float(splat::math::logit(std::clamp(double(i) / 255, kOpacityMargin, 1 - kOpacityMargin)));
    return {};
  }

  Status read_higher_bands(const json& higher) {
    SPLAT_TRY(read_files("shN", {&meta_.centroids, &meta_.labels}));
    if (meta_.version == 1) {
      const json *low = find(higher, "mins"), *high = find(higher, "maxs");
      if (!low || !high || !low->is_number() || !high->is_number() || !(std::abs(low->get<double>()) <= kLargest) ||
          !(std::abs(high->get<double>()) <= kLargest))
        return wrong("lacks 'shN.mins' and 'shN.maxs'");
      meta_.sh = linear(low->get<double>(), high->get<double>());
      meta_.sh_degree = -1;
      return {};
    }
    SPLAT_ASSIGN_OR_RETURN(meta_.sh, codebook("shN"));
    const json *bands = find(higher, "bands"), *count = find(higher, "count");
    if (!bands || !bands->is_number_unsigned() || bands->get<uint64_t>() > 3)
      return wrong("lacks 'shN.bands', a number from 0 to 3");
    if (!count || !count->is_number_unsigned() || count->get<uint64_t>() > 65536)
      return wrong("lacks 'shN.count', the palette's size, at most 65536");
    meta_.sh_degree = bands->get<int>();
    meta_.palette_entries = count->get<size_t>();
    return {};
  }

  const json& root_;
  const std::string& name_;
  SogMeta meta_;
};

Status add_leaves(const json& node, const std::string& name, int depth, SogLevel& level) {
  constexpr int kDeepest = 64;
  const auto wrong = [&](const std::string& what) { return Error{"'" + name + "': lod-meta.json " + what}; };
  if (!node.is_object() || depth > kDeepest) return wrong("has a tree that is no tree");
  if (const auto children = node.find("children"); children != node.end() && children->is_array())
    for (const json& child : *children) SPLAT_TRY(add_leaves(child, name, depth + 1, level));
  const auto lods = node.find("lods");
  if (lods == node.end() || !lods->is_object() || lods->empty()) return {};
  const json* finest = nullptr;
  uint64_t lowest = ~uint64_t(0);
  for (const auto& [key, value] : lods->items())
    if (uint64_t number = 0; parse_number(std::string_view(key), number) && number < lowest)
      lowest = number, finest = &value;
  const auto number = [&](const char* key) -> std::optional<uint64_t> {
    if (!finest || !finest->is_object() || !finest->contains(key) || !(*finest)[key].is_number_unsigned()) return {};
    return (*finest)[key].get<uint64_t>();
  };
  const auto file = number("file"), offset = number("offset"), count = number("count");
  if (!file || !offset || !count || *file >= level.files.size())
    return wrong("has a level that does not say which rows of which file it has");
  level.rows.push_back({size_t(*file), *offset, *count});
  return {};
}

}  // namespace

Result<SogMeta> parse_sog_meta(std::string_view text, const std::string& name) {
  SPLAT_ASSIGN_OR_RETURN(const json root, parse_json(text, name + ", meta.json"));
  return MetaParser(root, name).parse();
}

Result<SogLevel> parse_lod_meta(std::string_view text, const std::string& name) {
  SPLAT_ASSIGN_OR_RETURN(const json root, parse_json(text, name));
  const auto wrong = [&](const std::string& what) { return Error{"'" + name + "': lod-meta.json " + what}; };
  if (!root.is_object() || !root.contains("filenames") || !root["filenames"].is_array() || !root.contains("tree"))
    return wrong("lacks 'filenames' or 'tree'");
  SogLevel level;
  for (const json& file : root["filenames"]) {
    if (!file.is_string()) return wrong("has a file name that is no text");
    level.files.push_back(file.get<std::string>());
  }
  SPLAT_TRY(add_leaves(root["tree"], name, 0, level));
  add_unknown(root, "", {"version", "asset", "count", "counts", "lodLevels", "filenames", "tree", "bound"},
              level.unread);
  if (level.rows.empty()) return wrong("names no splats");
  const json levels = root.value("lodLevels", json());
  level.levels = levels.is_number_unsigned() ? levels.get<size_t>() : 1;
  return level;
}

}  // namespace io
