#pragma once
// What most tests include.
#include <model_validator/connected_graph.h>
#include <model_validator/validator.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>
