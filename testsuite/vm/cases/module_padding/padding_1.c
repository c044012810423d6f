// SPDX-License-Identifier: GPL-2.0-or-later
#define NOPS "nop"
#include "padding.h"
