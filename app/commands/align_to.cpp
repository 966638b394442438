#include "app/commands/align_to.h"

#include <fmt/format.h>

#include "app/console/standard_streams.h"
#include "app/input/scene_frame.h"
#include "app/input/splat_input.h"
#include "splat/model/transform.h"

namespace app {

using splat::registration::IcpResult;

Outcome align_to(const std::filesystem::path& reference, const io::SceneFrame& frame, splat::Gaussians& model,
                 splat::ThreadPool& pool, AlignedTo& aligned) {
  auto read = read_splat_input(reference, pool.threads());
  if (!read) return bad_input(read.error());
  const auto joined = bring_into_frame(frame, read->file);
  if (!joined) return bad_input(fmt::format("'{}': {}", reference.string(), joined.error().message));
  if (!joined->empty()) aligned.warnings.push_back(fmt::format("{}: {}", reference.string(), *joined));
  const splat::Gaussians& fixed = read->file.gaussians;
  const auto fit = splat::registration::icp(splat::registration::surface_points(model),
                                            splat::registration::surface_points(fixed), {}, {}, pool);
  if (!fit) return bad_input(fmt::format("--align-to '{}': {}", reference.string(), fit.error().message));
  transform(model, fit->to_from, pool);
  aligned.fit = *fit;
  return done();
}

nlohmann::json to_json(const AlignedTo& aligned) {
  const IcpResult& fit = aligned.fit;
  const auto& q = fit.to_from.rotation;
  return {{"rms", fit.rms},
          {"share", fit.share},
          {"iterations", fit.iterations},
          {"rotation", {q.w, q.x, q.y, q.z}},
          {"translation", fit.to_from.translation}};
}

void print_aligned(const AlignedTo& aligned) {
  print("  aligned: {:.0f} % of its surface lies on the other, {:.3g} units from it (root of the mean square)\n",
        100 * aligned.fit.share, aligned.fit.rms);
}

}  // namespace app
