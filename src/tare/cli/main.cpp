#include "tare/cli/program.hpp"

int main(int argc, char** argv) { return tare::cli::run(argc, argv); }
