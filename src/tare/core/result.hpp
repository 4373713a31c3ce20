// Result and Error of the front door, as the rooms call them.
#pragma once

#include <tare/result.hpp>

namespace tare::inner {

using tare::Errc;
using tare::Error;
using tare::Place;
using tare::Result;

}  // namespace tare::inner
