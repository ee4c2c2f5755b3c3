// Only there for CMake to compile precompiled.h with.
