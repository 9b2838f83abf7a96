/** What waits for the jobs is counted up to this number. */
export const maxDueCounted = 1000;
