/* What tests/support/faults.c, loaded before a program, tells a test. */
#ifndef SHOAL_TEST_FAULTS_H
#define SHOAL_TEST_FAULTS_H

struct fault_report {
    int calls;    /* that the action could have met */
    int unsynced; /* files that were renamed before they were seen to be on the disk */
    char at[256]; /* the call that it met, and its file; "": none */
};

#endif
