import { expect, test } from "vitest";
import { messageSchema } from "#app/features/messages/message.schema.ts";
import { appealSchema } from "#app/features/moderation/decisions/decision.schema.ts";
import { replyFormSchema, reviewFormSchema } from "#app/features/reviews/review.schema.ts";
import { parseForm } from "#app/server/forms/forms.server.ts";
import { freeText } from "#app/server/forms/schema-fields.ts";

function posted(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

test("a line break counts once, as browsers submit it and as scripts send it", () => {
  const text = `${"x".repeat(1799)}${"\n".repeat(200)}.`;
  const review = parseForm(
    posted({ intent: "review", stars: "5", text: text.replaceAll("\n", "\r\n") }),
    reviewFormSchema,
  );
  expect(review.status === "success" && review.value.text).toBe(text);
  const reply = parseForm(posted({ intent: "reply", reply: "Thank\r\nyou" }), replyFormSchema);
  expect(reply.status === "success" && reply.value.reply).toBe("Thank\nyou");
});

test("a text that shows nothing is empty", () => {
  const invisible = [
    "\u200B\u200B",
    " \u2060\uFEFF\n",
    "\u3164",
    "\u2800",
    "\u0301\u0308",
    "\uFFFC",
    "\u00AD\u202E",
    "\uFE0F\u034F",
  ];
  for (const text of invisible) {
    expect(messageSchema.safeParse({ text }).error?.issues[0]?.message, escape(text)).toBe("Write a message");
    expect(appealSchema.safeParse({ appeal: text }).error?.issues[0]?.message).toBe("Write an appeal");
    expect(freeText("Details").parse(text)).toBe("");
  }
  for (const text of ["0", "👍", "👨‍👩‍👧", "می‌خواهم"]) expect(messageSchema.parse({ text }).text).toBe(text);
});
