import type { users } from "#app/db/schema.ts";
import { secretAddress } from "../roles.ts";
import type { Sender } from "./example.ts";

type Hidden = Pick<typeof users.$inferSelect, "id">;

/** Fields that no form and no operation asks for: of another person, and what only the server decides. */
export const forgedFields = ({ id }: Hidden) => ({
  ...{ _id: id, id, userId: id, sellerId: id, buyerId: id, reporterId: id, ownerId: id },
  ...{ email: secretAddress, sellerEmail: secretAddress, buyerName: "Forged" },
  ...{ verified: "yes", isAdmin: "yes", role: "Admin", passwordHash: "Forged" },
});

/** Whether a text names the person of the forged fields. */
export const namesHidden = (text: string, { id }: Hidden) =>
  text.includes(id) || text.includes(secretAddress);

/** Whether rows hold a forged field. @param sender whose role a row may hold */
export const isForged = (rows: string, hidden: Hidden, sender?: Sender) =>
  namesHidden(rows, hidden) ||
  /Forged|"priceCents":100,/.test(rows) ||
  (sender?.account?.userType !== "Admin" && rows.includes('"userType":"Admin"'));
