#include "tare/cli/run.hpp"

int main(int argc, char** argv) { return tare::inner::cli::run(argc, argv); }
