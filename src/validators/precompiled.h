#pragma once
// The headers that most checks include; they take longer than the checks.
#include <model_validator/connected_graph.h>
#include <model_validator/validator.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>
