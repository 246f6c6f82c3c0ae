// The one public header of the scheduling language.
#pragma once
#include "dsl/boundary.h"
#include "dsl/elementary.h"
#include "dsl/form.h"
#include "dsl/generator.h"
#include "dsl/mark.h"
#include "dsl/memory.h"
#include "dsl/quant/quantize.h"
#include "dsl/quant/requantize.h"
#include "dsl/registry.h"
#include "dsl/stage.h"
