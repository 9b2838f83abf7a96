/** Requests for each client address and period in seconds; `wrangler.toml` repeats the numbers. */
export const rateLimits = {
  LOGIN_LIMIT: { limit: 60, period: 60 },
  SIGN_UP_LIMIT: { limit: 60, period: 60 },
  RECOVERY_LIMIT: { limit: 5, period: 60 },
  REPORT_LIMIT: { limit: 5, period: 60 },
  BOOKING_LIMIT: { limit: 120, period: 60 },
  PUBLISH_LIMIT: { limit: 60, period: 60 },
  PHOTO_LIMIT: { limit: 120, period: 60 },
  MESSAGE_LIMIT: { limit: 30, period: 60 },
  VIEW_LIMIT: { limit: 60, period: 60 },
  WRITE_LIMIT: { limit: 120, period: 60 },
} as const;

export type RateLimitName = keyof typeof rateLimits;

/**
 * What changes something, for its page action and its API operation alike: the rate limit it counts against, and
 * whether a suspended account may do it. Such an account may finish its orders, keep its account, and appeal;
 * administrators and moderators cannot be suspended.
 */
export const mutations = {
  "log in": { limit: "LOGIN_LIMIT", whileSuspended: "allowed" },
  "confirm password": { limit: "LOGIN_LIMIT", whileSuspended: "allowed" },
  "set password": { limit: "LOGIN_LIMIT", whileSuspended: "allowed" },
  "verify address": { limit: "LOGIN_LIMIT", whileSuspended: "allowed" },
  "sign up": { limit: "SIGN_UP_LIMIT", whileSuspended: "allowed" },
  "request recovery": { limit: "RECOVERY_LIMIT", whileSuspended: "allowed" },
  "send ticket": { limit: "REPORT_LIMIT", whileSuspended: "allowed" },
  "report content": { limit: "REPORT_LIMIT", whileSuspended: "refused" },
  "decide report": { limit: "WRITE_LIMIT", whileSuspended: "refused" },
  "appeal decision": { limit: "WRITE_LIMIT", whileSuspended: "allowed" },
  book: { limit: "BOOKING_LIMIT", whileSuspended: "refused" },
  "change delivery": { limit: "BOOKING_LIMIT", whileSuspended: "allowed" },
  review: { limit: "WRITE_LIMIT", whileSuspended: "refused" },
  message: { limit: "MESSAGE_LIMIT", whileSuspended: "refused" },
  offer: { limit: "MESSAGE_LIMIT", whileSuspended: "refused" },
  "mark as read": { limit: "WRITE_LIMIT", whileSuspended: "allowed" },
  block: { limit: "WRITE_LIMIT", whileSuspended: "allowed" },
  publish: { limit: "PUBLISH_LIMIT", whileSuspended: "refused" },
  "import listings": { limit: "PUBLISH_LIMIT", whileSuspended: "refused" },
  "edit listing": { limit: "PUBLISH_LIMIT", whileSuspended: "refused" },
  "save listing": { limit: "WRITE_LIMIT", whileSuspended: "allowed" },
  "add photos": { limit: "PHOTO_LIMIT", whileSuspended: "refused" },
  "change photos": { limit: "WRITE_LIMIT", whileSuspended: "refused" },
  "delete listing": { limit: "WRITE_LIMIT", whileSuspended: "allowed" },
  "advance order": { limit: "WRITE_LIMIT", whileSuspended: "allowed" },
  "cancel order": { limit: "WRITE_LIMIT", whileSuspended: "allowed" },
  "order problem": { limit: "WRITE_LIMIT", whileSuspended: "allowed" },
  "decide problem": { limit: "WRITE_LIMIT", whileSuspended: "refused" },
  "take case": { limit: "WRITE_LIMIT", whileSuspended: "refused" },
  "answer ticket": { limit: "WRITE_LIMIT", whileSuspended: "refused" },
  "keep saved replies": { limit: "WRITE_LIMIT", whileSuspended: "refused" },
  "write note": { limit: "WRITE_LIMIT", whileSuspended: "refused" },
  "delete user": { limit: "WRITE_LIMIT", whileSuspended: "refused" },
  "verify seller": { limit: "WRITE_LIMIT", whileSuspended: "refused" },
  "change role": { limit: "WRITE_LIMIT", whileSuspended: "refused" },
  "write to users": { limit: "WRITE_LIMIT", whileSuspended: "refused" },
  "write pages": { limit: "WRITE_LIMIT", whileSuspended: "refused" },
  "bulk action": { limit: "WRITE_LIMIT", whileSuspended: "refused" },
  "end sessions": { limit: "WRITE_LIMIT", whileSuspended: "refused" },
  "undo deletion": { limit: "WRITE_LIMIT", whileSuspended: "allowed" },
  "read notifications": { limit: "WRITE_LIMIT", whileSuspended: "allowed" },
  unsubscribe: { limit: "WRITE_LIMIT", whileSuspended: "allowed" },
  "change account": { limit: "WRITE_LIMIT", whileSuspended: "allowed" },
  "change address": { limit: "RECOVERY_LIMIT", whileSuspended: "refused" },
  "change passkeys": { limit: "WRITE_LIMIT", whileSuspended: "allowed" },
  "change tokens": { limit: "WRITE_LIMIT", whileSuspended: "allowed" },
  "change searches": { limit: "WRITE_LIMIT", whileSuspended: "allowed" },
  "export data": { limit: "WRITE_LIMIT", whileSuspended: "allowed" },
  "count view": { limit: "VIEW_LIMIT", whileSuspended: "allowed" },
} as const satisfies Record<string, { limit: RateLimitName; whileSuspended: "allowed" | "refused" }>;

export type Mutation = keyof typeof mutations;
