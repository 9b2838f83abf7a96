import { z } from "zod";
import { ledgerKinds, payoutAccountStates } from "#app/db/enums.ts";
import type { MoneyState } from "./payment.rules.ts";
import { moneyStateLabels } from "./payment-texts.ts";
import { type PayoutEntryState, payoutEntryStates } from "./payout-table.rules.ts";

// Not of the rules, which are loaded on demand.
export const moneyStateSchema = z.enum(Object.keys(moneyStateLabels) as MoneyState[]);
export const ledgerKindSchema = z.enum(ledgerKinds);
export const payoutStateSchema = z.enum(payoutAccountStates);
export const entryStateSchema = z.enum(Object.keys(payoutEntryStates) as PayoutEntryState[]);
