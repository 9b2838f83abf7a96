import { countLabel } from "#app/market.ts";

/** Stands for the text of a message that a moderator has hidden. */
export const hiddenMessage = "A moderator hid this message.";

/** An account can send this many messages an hour, to everybody together. */
export const maxMessagesAnHour = 200;

/** Why a message is not sent. One text for accounts that are gone and for those that block the sender, who must not learn it. */
export const messageRefusalTexts = {
  "blocked by you": "You’ve blocked this person. Unblock them to send messages.",
  unavailable: "This person can’t receive messages right now.",
  "too many messages": "That’s a lot of messages in a short time. Try again in an hour.",
  "too many in conversation": "You’ve written a lot here today. Write again tomorrow.",
  "too many conversations": "You’ve written to many sellers today. Try again tomorrow.",
  "own listing": "This is your own listing.",
  sold: "This device is sold.",
};

export type MessageRefusal = keyof typeof messageRefusalTexts;

/** Which reason is shown, if there are several: the first of these. */
export const refusalOrder = Object.keys(messageRefusalTexts) as MessageRefusal[];

/**
 * Why no message can be sent, and what works instead between the two sides of an order; null if one can.
 *
 * @param suspended why the viewer cannot write to anybody; null if they can
 */
export function silenceText(
  refusal: MessageRefusal | null,
  suspended: string | null,
  hasOrder: boolean,
): string | null {
  const text = suspended ?? (refusal && messageRefusalTexts[refusal]);
  const isLasting = suspended !== null || refusal === "blocked by you" || refusal === "unavailable";
  return text && hasOrder && isLasting
    ? `${text} If it’s about your order, go to its page: you can report a problem there, and both of you can always write about that.`
    : text;
}

const sendAnyway = "Change it, or send it anyway.";

/** What stands beside a text whose sender is asked about it. */
export const warningQuestion = (warning: string) => `${warning} ${sendAnyway}`;

/** Whether the errors of a text have a question, which sending it again answers. */
export const hasQuestion = (errors: readonly string[] = []) =>
  errors.some((error) => error.endsWith(sendAnyway));

/** Seconds after which a refused message may be sent; undefined if waiting does not help. */
export function retryAfterOf(refusal: MessageRefusal): number | undefined {
  if (refusal === "too many messages") return 3600;
  return refusal === "too many in conversation" || refusal === "too many conversations" ? 86_400 : undefined;
}

export function conversationPath(id: string): string {
  return `/manage/messages/${id}`;
}

/** The place of a message on the page of its conversation. */
export function messagePath(conversationId: string, messageId: string): string {
  return `${conversationPath(conversationId)}#message-${messageId}`;
}

/** The page that opens the conversation about a listing or with the other side of an order, or starts it. */
export function newMessagePath(target: ConversationTarget): string {
  return `/manage/messages/new?${new URLSearchParams({ ...target })}`;
}

/** What a conversation is about: a listing (the viewer writes to its seller) or an order (to its other side). */
export type ConversationTarget = { phone: string } | { order: string };

/** The target that a URL names; null if it names none. */
export function targetOf(parameters: URLSearchParams): ConversationTarget | null {
  const [phone, order] = [parameters.get("phone"), parameters.get("order")];
  if (phone) return { phone };
  return order ? { order } : null;
}

export function unreadLabel(count: number): string {
  return count === 1 ? "1 new message" : `${countLabel(count)} new messages`;
}
