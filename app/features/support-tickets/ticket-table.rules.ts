import type { TicketState } from "#app/db/enums.ts";
import {
  type TableDefinition,
  type TableQuery,
  timeFilters,
  timeSorts,
} from "#app/server/forms/table-query.ts";
import { orderNumber } from "../orders/order-texts.ts";

export const ticketStateLabels: Record<TicketState, string> = {
  open: "Open",
  answered: "Answered",
  closed: "Closed",
};

export const ticketTable = {
  filters: [
    { name: "q", label: "Name, email or words", kind: "words" },
    { name: "state", label: "State", kind: "choice", choices: ticketStateLabels },
    ...timeFilters,
  ],
  sorts: timeSorts,
} as const satisfies TableDefinition;

export type TicketQuery = TableQuery<typeof ticketTable>;

/** A report's number, as people and staff name it: like an order's. */
export const ticketNumber = orderNumber;
