/** What has changed about how an account is logged in to. */
export type CredentialChange =
  | "password changed"
  | "password reset"
  | "passkey added"
  | "passkey removed"
  | "token created";
