/* What tests/support/faults.c, loaded into a program, reports to a test. */
#ifndef SHOAL_TEST_FAULTS_H
#define SHOAL_TEST_FAULTS_H

struct fault_report {
    int calls;    /* that the fault could hit */
    int unsynced; /* files renamed before they were synced */
    char at[256]; /* the call that it hit, and its file; "": none */
};

#endif
