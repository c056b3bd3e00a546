// Carries the precompiled headers; see rooms.cmake.
