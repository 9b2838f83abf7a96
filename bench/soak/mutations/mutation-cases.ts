import { administration } from "./administration.ts";
import { listings } from "./listings.ts";
import { login } from "./login.ts";
import { moderation } from "./moderation.ts";
import type { MutationCases } from "./mutation-case.ts";
import { orders } from "./orders.ts";
import { ownAccount } from "./own-account.ts";

/** The requests of each mutation. A mutation without any does not compile. */
export const mutationCases: Required<MutationCases> = {
  ...login,
  ...ownAccount,
  ...listings,
  ...orders,
  ...moderation,
  ...administration,
};
