/** The rows of each list of a user’s page are counted up to so many: a shop has thousands. */
export const maxCounted = 50;

/** Notes and staff actions are looked up for the newest 50 listings and orders only. */
export const maxLookedUp = 50;
