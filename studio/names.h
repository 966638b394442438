// The window writes the names of its toolkit (viewer) and of the program's settings and jobs (app) without a prefix: it
// is the one room that uses both, and no type has the same name in two of these namespaces.
#pragma once

namespace app {}
namespace viewer {}

namespace studio {

using namespace app;
using namespace viewer;

}  // namespace studio
