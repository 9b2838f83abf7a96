/** Stands for the name of an account that is closed or removed. */
export const formerMember = "Former member";
