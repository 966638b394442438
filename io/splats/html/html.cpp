#include "io/splats/html/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numbers>
#include <span>
#include <string>

#include "io/atomic_file.h"
#include "io/markup.h"
#include "io/splats/html/home_view.h"
#include "io/splats/html/page_splats.h"
#include "io/splats/html/web_sources.h"
#include "io/splats/spz/spz.h"
#include "splat/core/percentile.h"
#include "splat/math/constants.h"
#include "splat/model/transform.h"

namespace io {

namespace fs = std::filesystem;
using nlohmann::json;
using splat::Gaussians;
using splat::Result;
using splat::Status;

namespace {

constexpr size_t kChunkBytes = size_t(7) << 19;  // in a script: 4 MiB of text
constexpr int kDigits = 6;                       // of a view's numbers
constexpr std::array<float, 3> kDark{0.055f, 0.062f, 0.072f};
constexpr std::array<double, 3> kUsualUp{0, -1, 0};
constexpr std::string_view kMark = "<meta name=\"generator\" content=\"hipsplat\"";
constexpr std::string_view kStamp = "<meta name=\"hipsplat-splats\" content=\"";  // of the file beside the page

// Short numbers: a page may hold thousands of poses.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double unit = std::pow(10.0, kDigits - 1 - std::floor(std::log10(std::abs(value))));
  return std::round(value * unit) / unit;
}

template <class Numbers>
json numbers(const Numbers& values) {
  json list = json::array();
  for (const double value : values) list.push_back(rounded(value));
  return list;
}

// [x, y, z, qw, qx, qy, qz] of a camera in the world.
std::array<double, 7> pose_numbers(const std::array<double, 3>& p, const splat::math::Quat<double>& q) {
  return {p[0], p[1], p[2], q.w, q.x, q.y, q.z};
}

json views_json(const std::vector<NamedView>& views) {
  json list = json::array();
  const size_t count = std::min(views.size(), kMostPageViews);
  for (size_t i = 0; i < count; ++i) {
    const auto& [name, view] = views[i * views.size() / count];
    const auto& r = view.cam_from_world.rotation;
    const auto turn = splat::quat_from_rotation({r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]});
    json row = json::array({name});
    for (const double value : pose_numbers(view.cam_from_world.origin_in_source(), turn)) row.push_back(rounded(value));
    const splat::PinholeCamera& c = view.camera;
    for (const float value : {c.fx, c.fy, c.cx, c.cy}) row.push_back(rounded(double(value)));
    row.push_back(c.width), row.push_back(c.height);
    list.push_back(std::move(row));
  }
  return list;
}

json path_json(const PagePath& path) {
  if (path.poses.empty()) return json();
  json poses = json::array();
  for (const PagePose& pose : path.poses) {
    json row = numbers(pose_numbers(pose.position, pose.world_from_cam));
    row.push_back(rounded(pose.fov_y_deg));
    poses.push_back(std::move(row));
  }
  const char* const mode = path.end == PathEnd::kRepeat     ? "repeat"
                           : path.end == PathEnd::kPingPong ? "pingpong"
                                                            : "once";
  return {{"fps", path.poses_a_second}, {"mode", mode}, {"poses", std::move(poses)}};
}

json places_json(const splat::math::FramedPlaces& places) {
  json list = json::array();
  for (const auto& place : places) list.push_back({rounded(place.x), rounded(place.y), rounded(place.z)});
  return list;
}

json frame_json(const SceneFrame& frame) {
  return {{"origin", frame.origin}, {"epsg", frame.epsg}, {"metres_per_unit", frame.metres_per_unit}};
}

struct Page {
  std::string title;
  std::string scene;  // JSON
  std::string url;    // of the splats; empty: they are within
  std::string_view spz;
  std::string_view live_style, live_script;  // PageAdditions
  int unit_exponent = 0;                     // a unit of the splats is 2^this of the scene's
  std::string stamp{};                       // of the splats beside it
};

// SPZ holds sizes of e^-10 to e^5.9 units. The binary exponent of the unit in which a page holds its splats: 0, that of
// the scene, but where the thinnest of them by their second axis, or the largest, would not fit.
int exponent_of_unit(const Gaussians& model) {
  constexpr double kLow = -9.9, kHigh = 5.8;  // of the logarithm
  constexpr int kMost = 100;
  std::vector<float> middle, largest;
  for (size_t row = 0; row < model.size(); ++row) {
    std::array<float, 3> scale{model.log_scales[3 * row], model.log_scales[3 * row + 1], model.log_scales[3 * row + 2]};
    if (!std::isfinite(scale[0]) || !std::isfinite(scale[1]) || !std::isfinite(scale[2])) continue;
    std::sort(scale.begin(), scale.end());
    middle.push_back(scale[1]), largest.push_back(scale[2]);
  }
  if (middle.empty()) return 0;
  const double low = splat::percentile(middle, 0.02), high = splat::percentile(largest, 0.998);
  if (low >= kLow && high <= kHigh) return 0;
  const double shift = std::min((kLow + kHigh - low - high) / 2, kHigh - high);
  return std::clamp(int(std::lround(-shift / std::numbers::ln2)), -kMost, kMost);
}

// Nearer to a camera than this nothing is drawn: the engine's distance, but in a scene that is all nearer than that.
double near_plane(double radius) { return std::min(splat::math::kNearPlane, 0.1 * radius); }

json scene_json(const Gaussians& model, const SplatFileInfo& info, const PageContents& contents, const Page& page,
                const SplatWriteReport& report) {
  const std::array<double, 3> up = info.view_up.value_or(kUsualUp);
  const HomeView home = home_view(model, up, info.front_at_z);
  const auto p = pose_numbers(home.pose.position, home.pose.world_from_cam);
  json scene{{"title", page.title},
             {"splats", report.written},
             {"bytes", page.spz.size()},
             {"degree", report.sh_degree},
             {"lowPass", rounded(double(info.low_pass))},
             {"up", numbers(up)},
             {"centre", numbers(home.centre)},
             {"radius", rounded(home.radius)},
             {"background", numbers(contents.background.value_or(kDark))},
             {"home",
              {{"p", numbers(std::span(p).first(3))},
               {"q", numbers(std::span(p).last(4))},
               {"fov", home.pose.fov_y_deg},
               {"d", rounded(home.distance)},
               {"box", places_json(home.places)}}},
             {"views", views_json(contents.views)},
             {"path", path_json(contents.path)}};
  if (!page.url.empty()) scene["url"] = page.url;
  scene["space"] = {std::ldexp(1.0, page.unit_exponent), rounded(near_plane(home.radius))};
  if (!info.frame.empty()) scene["frame"] = frame_json(info.frame);
  return scene;
}

// Within <script>: no tag may begin there.
std::string within_script(const json& value) {
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  for (size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

using Sink = std::function<bool(std::string_view text)>;  // one that returns false gets no more splats

void write_chunks(const Sink& sink, std::string_view spz) {
  for (size_t at = 0; at < spz.size(); at += kChunkBytes) {
    sink("<script type=\"text/plain\" class=\"spz\">");
    sink(seven_bit_text(spz.substr(at, kChunkBytes)));
    if (!sink("</script>\n")) return;
  }
}

// The template of web/page.html with what its {{names}} stand for.
void write_filled(const Sink& sink, const Page& page) {
  std::string_view rest = web_source("page.html");
  for (size_t at; (at = rest.find("{{")) != std::string_view::npos;) {
    sink(rest.substr(0, at));
    const size_t end = rest.find("}}", at);
    const std::string_view name = rest.substr(at + 2, end - at - 2);
    rest.remove_prefix(end + 2);
    if (name == "title")
      sink(html_escaped(page.title));
    else if (name == "connect")
      sink(page.url.empty() ? "'none'" : "'self'");
    else if (name == "stamp")
      sink(page.stamp.empty() ? "" : fmt::format("\n{}{}\">", kStamp, page.stamp));
    else if (name == "licence")
      sink(html_escaped(web_source("LICENSE")));
    else if (name == "scene")
      sink(page.scene);
    else if (name == "live.css")
      sink(page.live_style);
    else if (name == "live.js")
      sink(page.live_script);
    else if (name == "splats")
      write_chunks(sink, page.spz);
    else
      sink(web_source(name));
  }
  sink(rest);
}

// File names need not be UTF-8; pages are.
std::string utf8_text(const std::string& text) {
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

std::string title_of(const fs::path& path, const PageContents& contents) {
  if (!contents.title.empty()) return contents.title;
  std::error_code code;
  const fs::path named =
      splats_beside_page(path).empty() ? path.stem() : fs::absolute(path, code).parent_path().filename();
  return named.empty() ? "scene" : named.string();
}

SplatWriteReport pack_page_splats(std::string& spz, const Gaussians& model, const SplatFileInfo& info,
                                  const SplatWriteOptions& options, int unit_exponent) {
  SplatFileInfo kept = info;  // the page says that itself
  kept.view_up.reset();
  Gaussians in_units;
  if (unit_exponent != 0) {
    splat::ThreadPool pool(options.threads);
    splat::transform(in_units = model, {std::ldexp(1.0, -unit_exponent)}, pool);
  }
  SplatWriteReport report = pack_spz([&](std::string_view bytes) { return spz += bytes, true; },
                                     unit_exponent != 0 ? in_units : model, kept, options);
  report.sh_degree = std::min(model.sh_degree, options.max_sh_degree);
  return report;
}

}  // namespace

bool looks_like_page(std::string_view start) {
  constexpr size_t kHead = 2048;
  return start.starts_with("<!doctype html>") && start.substr(0, kHead).find(kMark) != std::string_view::npos;
}

fs::path splats_beside_page(const fs::path& page) {
  return page.filename() == "index.html" ? fs::path(page).replace_extension(".spz") : fs::path();
}

Status check_beside_page(const fs::path& page, const Beside& beside) {
  const fs::path splats = splats_beside_page(page);
  return splats.empty() ? Status() : check_companion(splats, page, noted_in(page, kStamp, '"'), beside);
}

std::string note_of_page(const fs::path& page, uint64_t spz) {
  if (const fs::path beside = splats_beside_page(page); !beside.empty())
    return fmt::format(
        "a page for a web server, with its splats in '{}': put both there; for a try, 'python3 -m "
        "http.server' in that folder",
        beside.filename().string());
  if (spz / 7 * 8 <= kLargePage)
    return "opens in any browser with WebGL 2, from disk too; it asks the network for nothing";
  return fmt::format(
      "phones may fail to open so large a page: --max-splats and --sh-degree 1 make it smaller, and '{}' "
      "one for a web server, which loads its splats bit by bit",
      (page.parent_path() / page.stem() / "index.html").string());
}

ServedPage make_served_page(const Gaussians& model, const SplatFileInfo& info, const SplatWriteOptions& options,
                            const PageAdditions& additions) {
  ServedPage served;
  const int unit = additions.script.empty() ? exponent_of_unit(model) : 0;  // what trains sends others later
  SplatWriteReport report = pack_page_splats(served.spz, model, info, options, unit);
  Page page{utf8_text(options.page.title), "", additions.url, served.spz, additions.style, additions.script, unit};
  page.scene = within_script(scene_json(model, info, options.page, page, report));
  page.spz = {};
  write_filled([&](std::string_view text) { return served.html += text, true; }, page);
  return served;
}

Result<SplatWriteReport> write_page(const fs::path& path, const Gaussians& model, const SplatFileInfo& info,
                                    const SplatWriteOptions& options) {
  std::string spz;
  const int unit = exponent_of_unit(model);
  SplatWriteReport report = pack_page_splats(spz, model, info, options, unit);
  const fs::path beside = splats_beside_page(path);
  if (beside.empty()) {
    splat::ThreadPool pool(options.threads);
    spz = planes_of(spz, pool);
  }
  Page page{utf8_text(title_of(path, options.page)), "", beside.filename().string(), spz, {}, {}, unit};
  page.scene = within_script(scene_json(model, info, options.page, page, report));
  if (!beside.empty()) {
    page.stamp = stamp_of(spz);
    page.spz = {};
  }
  AtomicFile file(path);
  const Sink sink = [&file](std::string_view text) {
    file.write(text);
    return !file.failed();
  };
  write_filled(sink, page);
  if (!beside.empty() && !file.failed()) SPLAT_TRY(write_file_atomically(beside, spz));
  SPLAT_TRY(file.commit());
  report.notes.push_back(note_of_page(path, spz.size()));
  return report;
}

}  // namespace io
