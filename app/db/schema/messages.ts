import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "./accounts.ts";
import { createdAt, id } from "./columns.ts";

/** A conversation about a listing; a row of `conversation_participants` for each of its two people. */
export const conversations = sqliteTable(
  "conversations",
  {
    id: id(),
    // No foreign keys: a conversation stays readable after its listing or an account is removed.
    phoneId: text("phone_id").notNull(),
    buyerId: text("buyer_id").notNull(),
    /** Brand and model when it began. */
    productName: text("product_name").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("conversations_phone_buyer").on(table.phoneId, table.buyerId),
    // For the limit of new conversations.
    index("conversations_buyer").on(table.buyerId, table.id),
  ],
);

/** A conversation as one of its two people has it. */
export const conversationParticipants = sqliteTable(
  "conversation_participants",
  {
    conversationId: text("conversation_id").notNull(),
    userId: text("user_id").notNull(),
    otherId: text("other_id").notNull(),
    /** The newest message, by which conversations are sorted. */
    lastMessageId: text("last_message_id").notNull(),
    /** How many messages of the other person are unread. */
    unread: integer("unread").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.conversationId, table.userId] }),
    index("conversation_participants_user").on(table.userId, table.lastMessageId),
    index("conversation_participants_unread").on(table.userId, table.unread).where(sql`${table.unread} > 0`),
  ],
);

export const messages = sqliteTable(
  "messages",
  {
    id: id(),
    conversationId: text("conversation_id").notNull(),
    senderId: text("sender_id").notNull(),
    text: text("text").notNull(),
    createdAt: createdAt(),
    /** Idempotency key of the request that created it. */
    formKey: text("form_key"),
    /** The decision that hides the text from both sides. */
    hiddenById: text("hidden_by_id"),
  },
  (table) => [
    index("messages_conversation").on(table.conversationId, table.id),
    index("messages_sender").on(table.senderId, table.id),
    uniqueIndex("messages_form_key").on(table.senderId, table.formKey),
  ],
);

/** Who has blocked whom: neither can send messages to the other. */
export const blocks = sqliteTable(
  "blocks",
  {
    blockerId: text("blocker_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    blockedId: text("blocked_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.blockerId, table.blockedId] }),
    index("blocks_blocked").on(table.blockedId),
  ],
);
