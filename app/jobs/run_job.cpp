#include "app/jobs/run_job.h"

#include "app/jobs/align/align_job.h"
#include "app/jobs/convert/convert.h"
#include "app/jobs/evaluate/evaluation.h"
#include "app/jobs/film/film.h"
#include "app/jobs/mesh/mesh_job.h"
#include "app/jobs/render/pictures.h"
#include "app/settings/tasks.h"
#include "splat/core/check.h"

namespace app {

Outcome run_job(const Options& options, Monitor& monitor, const RunLoop& loop) {
  switch (options.verb) {
    case kTrain:
      return train(options, monitor, loop);
    case kAlign:
      return align_photos(align_task(options), monitor);
    case kRender:
      return options.film.path.empty() ? draw_pictures(render_task(options), monitor)
                                       : make_film(render_task(options), monitor);
    case kEvaluate:
      return evaluate(evaluate_task(options), monitor);
    case kMesh:
      return run_mesh(mesh_task(options), monitor);
    default:
      SPLAT_CHECK(options.verb == kConvert);
      return convert(convert_task(options), monitor);
  }
}

}  // namespace app
