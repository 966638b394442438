// A runtime of AMD in name only: libamdhip64.so.N that says which N it is.
extern "C" int hipsplat_stub_version() { return STUB_MAJOR; }
