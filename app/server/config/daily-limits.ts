/** What an account may do within a day, unless the settings of these names say otherwise. */
export const dailyLimits = {
  MAX_LISTINGS_A_DAY: 200,
  MAX_LISTINGS_A_DAY_UNCONFIRMED: 20,
  MAX_LISTINGS_A_DAY_VERIFIED: 1000,
  MAX_MESSAGES_A_DAY: 60,
  MAX_NEW_CONVERSATIONS_A_DAY: 20,
};

export type DailyLimits = typeof dailyLimits;
