// The one place that knows the version; CMakeLists.txt reads it from here.
#pragma once

#define TARE_VERSION "0.1.0"
