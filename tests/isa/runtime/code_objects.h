// The translated code, found as the loader finds machine code: the bundle behind the wrapper that a plugin registers,
// in it the code object of the architecture, in it the kernel by name. A code object is recognised by its content.
#pragma once

#include "tests/isa/machine/translated.h"

namespace isa {

// The library of translated code that ISA_CODE names; loaded at the first use. Its architecture: "gfx1030".
const char* architecture();

// wrapper: what __hipRegisterFatBinary is given. Ends the process when the code was not translated.
const TranslatedObject* find_object(const void* wrapper);
const KernelCode* find_kernel(const TranslatedObject& object, const char* name);

}  // namespace isa
