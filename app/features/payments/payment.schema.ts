import { z } from "zod";
import { ledgerKinds, payoutStates } from "#app/db/enums.ts";
import { moneyStates } from "./payment.rules.ts";
import { type EntryState, entryStates } from "./payout-table.rules.ts";

export const moneyStateSchema = z.enum(moneyStates);
export const ledgerKindSchema = z.enum(ledgerKinds);
export const payoutStateSchema = z.enum(payoutStates);
export const entryStateSchema = z.enum(Object.keys(entryStates) as EntryState[]);
