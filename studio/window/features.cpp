#include "studio/window/features.h"

#include <memory>

#include "studio/align/feature.h"
#include "studio/blocks/feature.h"
#include "studio/cleanup/feature.h"
#include "studio/compare/feature.h"
#include "studio/edit/feature.h"
#include "studio/film/feature.h"
#include "studio/masks/feature.h"
#include "studio/mesh/feature.h"
#include "studio/runs/feature.h"

namespace studio {
namespace {

template <class... Features>
void add(Workspace& work) {
  (work.features.push_back(std::make_unique<Features>(work)), ...);
}

}  // namespace

// A new feature is a row here. What is drawn later covers what was drawn before.
void add_features(Workspace& work) {
  add<MeshFeature,     //
      CleanupFeature,  //
      MaskFeature,     // before films and editing, likewise
      FilmFeature,     // before editing, whose keys for undoing it takes while the timeline is there
      EditFeature,     //
      AlignFeature,    //
      CompareFeature,  //
      RunsFeature,     //
      BlocksFeature>(work);
}

}  // namespace studio
