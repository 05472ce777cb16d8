/* SPDX-License-Identifier: MIT */
#ifndef THPSTAT_COMMON_H
#define THPSTAT_COMMON_H

/* Attributes of public declarations, and nothing else. */
#if defined(__GNUC__) || defined(__clang__)
#define THPSTAT_API __attribute__((visibility("default")))
#define THPSTAT_CHECK __attribute__((warn_unused_result))
#else
#define THPSTAT_API
#define THPSTAT_CHECK
#endif

#endif
