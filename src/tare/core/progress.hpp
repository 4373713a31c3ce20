// How long work tells where it is: called now and then from the calling thread, or never.
#pragma once

#include <tare/run.hpp>

namespace tare::inner {

using tare::Progress;

}  // namespace tare::inner
