/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAULTS_SMALL_TREE_H
#define TESTS_FAULTS_SMALL_TREE_H

/*
 * A captured tree with few processes left in it, one of each state, so that it is read in a
 * millisecond. Removed with scratch_remove(small_tree_scratch()).
 */
#define SMALL_TREE "x86_64-6.1.0-57-cloud-amd64-cgv1"
#define SMALL_TREE_MTHP "x86_64-6.18.15+deb13-cloud-amd64"

/* The root of the tree, to be freed; *ret_scratch is the directory that it was unpacked to. */
char *small_tree_make(const char *captures, const char *name, char **ret_scratch);

#endif
