/** Administrators are told of so many errors within an hour. */
export const manyErrors = 20;
