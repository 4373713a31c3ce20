// Files beside their place whose writer was ended by kill -9 before it could rename or remove them. A writer holds a
// lock (flock) on what it writes, which ends with it: what has the name of such a file and no lock is nobody's.
#pragma once

#include <string>

namespace tare::inner::write {

std::string name_beside(int number);  // ".tare-PID-NUMBER", of this process

bool hold(int file);    // takes the lock; false: somebody has removed the file, and it is to be made again
void let_go(int file);  // the file is in its place

// Removes those of this user, the first time that this process writes into the folder. Failure changes nothing.
void remove_leftovers(const std::string& folder) noexcept;

}  // namespace tare::inner::write
