import { alarmLimits } from "../notifications/alarm-text.ts";

/** Administrators are told of so many errors within an hour. */
export const manyErrors = alarmLimits.errors;

/** What waits for the queue or the jobs is counted up to this number. */
export const maxWaiting = 1000;
