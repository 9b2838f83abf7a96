import { z } from "zod";
import { pageKinds } from "#app/db/enums.ts";
import { singleLine } from "#app/server/forms/sanitize-text.ts";
import { freeText } from "#app/server/forms/schema-fields.ts";
import { markdownFault } from "./markdown.rules.ts";
import { pageSlugOf } from "./page-slugs.ts";

const wordsMissing = "Say what the picture shows";

const pageText = freeText("Text", { max: 40_000, missing: "Write the text" }).superRefine((text, context) => {
  const fault = markdownFault(text);
  if (fault) context.addIssue({ code: "custom", message: fault });
});

/** Left out, it stays what it is. */
const kind = z.enum(pageKinds, { error: "Choose a kind" }).optional();

/** A page as it is written; the button says what becomes of it. */
const savedSchema = z.object({
  kind,
  intent: z.enum(["preview", "draft", "published", "unpublished"], { error: "Unknown form" }),
  title: freeText("Title", { max: 80, missing: "Write a title" })
    .overwrite(singleLine)
    .min(1, { error: "Write a title", abort: true })
    // The address of a new page.
    .refine((title) => pageSlugOf(title) !== "", "Use Latin letters or digits in the title"),
  body: pageText
    .min(1, { error: "Write the text", abort: true })
    // As a form it has to stay below the limit of request bodies, where other alphabets take more.
    .refine((body) => new URLSearchParams({ body }).toString().length <= 60_000, "Text must be shorter"),
  inFooter: z.boolean().default(false),
});

export type PageFields = Omit<z.infer<typeof savedSchema>, "intent">;

/** Adds a picture to the text, which may not be finished yet. */
const pictureSchema = z.object({
  kind,
  intent: z.literal("picture"),
  title: z.string().default(""),
  body: pageText.default(""),
  inFooter: z.boolean().default(false),
  picture: z.unknown().optional(),
  words: freeText("Words", { max: 200, missing: wordsMissing })
    .overwrite(singleLine)
    .min(1, { error: wordsMissing }),
});

export const pageSchema = z.discriminatedUnion("intent", [savedSchema, pictureSchema]);

/** The schema of the form that was submitted. */
export const pageFormSchema = (form: FormData) =>
  form.get("intent") === "picture" ? pictureSchema : savedSchema;
