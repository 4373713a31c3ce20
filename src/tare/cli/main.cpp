#include "tare/cli/run.hpp"

int main(int argc, char** argv) { return tare::cli::run(argc, argv); }
