// Without zod, for pages that load their schema later.
export const invalidEmail = "Enter an email address like name@example.com";
