// A library without the entry point; linked to one that is not there, in one of the tests.
extern "C" int hipsplat_absent_call();
extern "C" int hipsplat_something_else() {
#if defined(HIPSPLAT_NEEDS_RUNTIME)
  return hipsplat_absent_call();
#else
  return 1;
#endif
}
