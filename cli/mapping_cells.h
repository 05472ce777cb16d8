/* SPDX-License-Identifier: MIT */
#ifndef CLI_MAPPING_CELLS_H
#define CLI_MAPPING_CELLS_H

#include <thpstat/thpstat.h>

#include "column.h"
#include "report.h"

/* Fill the row of a mapping. */
void mapping_cells_fill(const struct columns *columns, int pid,
			const struct thpstat_mapping *mapping, struct cell *row);

#endif
