// Where the translated cases of single instructions make themselves known to run_cases.cpp.
#pragma once

#include "tests/isa/machine/translated.h"

namespace isa {

struct CaseRegistration {
  CaseRegistration(int number, int (*run)(void* wave));
};

}  // namespace isa
