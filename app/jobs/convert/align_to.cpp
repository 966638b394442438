#include "app/jobs/convert/align_to.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/jobs/input/scene_frame.h"
#include "app/jobs/input/splat_input.h"
#include "app/jobs/work_memory.h"
#include "splat/model/transform.h"

namespace app {

using splat::registration::IcpResult;
using splat::registration::Plausibility;

namespace {

std::string why_not(const std::filesystem::path& reference, const Plausibility& likely) {
  if (likely.fits_at)
    return fmt::format(
        "--align-to '{}' moves and turns alone, and the splats fit it only at {:.3g} times their size: scale them "
        "first "
        "(--place 'FILE=scale {:.3g}'); nothing was written",
        reference.string(), *likely.fits_at, *likely.fits_at);
  return fmt::format(
      "--align-to '{}' found no place where the splats fit it: only {:.0f} % of the surface, where both are, comes "
      "within {:.2g} units of the other's. They may not be the same thing, or lie too far from it; nothing was written",
      reference.string(), 100 * likely.near, likely.tolerance);
}

}  // namespace

Outcome align_to(const std::filesystem::path& reference, const io::SceneFrame& frame, splat::Gaussians& model,
                 splat::ThreadPool& pool, AlignedTo& aligned) {
  auto read = read_splat_input(reference, pool.threads());
  if (!read) return bad_input(read.error());
  const auto joined = bring_into_frame(frame, read->file);
  if (!joined) return bad_input(fmt::format("'{}': {}", reference.string(), joined.error().message));
  if (!joined->empty()) aligned.warnings.push_back(fmt::format("{}: {}", reference.string(), *joined));
  const splat::Gaussians& fixed = read->file.gaussians;
  if (const auto status =
          check_work(fmt::format("--align-to '{}'", reference.string()), bytes_to_register(model, fixed));
      !status)
    return bad_input(status.error());
  const std::vector<float> points = splat::registration::surface_points(model),
                           others = splat::registration::surface_points(fixed);
  const auto fit = splat::registration::icp(points, others, {}, {}, pool);
  if (!fit) return bad_input(fmt::format("--align-to '{}': {}", reference.string(), fit.error().message));
  aligned.likely = splat::registration::plausibility(points, others, *fit, pool);
  if (!aligned.likely.plausible()) return bad_input(why_not(reference, aligned.likely));
  transform(model, fit->to_from, pool);
  aligned.fit = *fit;
  return done();
}

nlohmann::json to_json(const AlignedTo& aligned) {
  const IcpResult& fit = aligned.fit;
  const auto& q = fit.to_from.rotation;
  return {{"rms", fit.rms},
          {"share", fit.share},
          {"near", aligned.likely.near},
          {"tolerance", aligned.likely.tolerance},
          {"iterations", fit.iterations},
          {"rotation", {q.w, q.x, q.y, q.z}},
          {"translation", fit.to_from.translation}};
}

}  // namespace app
