// SPDX-License-Identifier: GPL-2.0-or-later
#define NOPS ""
#include "padding.h"
