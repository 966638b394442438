extern "C" int hipsplat_absent_call() { return 1; }
