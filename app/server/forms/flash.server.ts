import { redirect, type TypedResponse } from "@remix-run/cloudflare";
import { z } from "zod";
import { ownCookieNames } from "../http/cookies.server.ts";
import type { RequestContext } from "../http/request-context.server.ts";

const toastSchema = z.object({
  kind: z.enum(["success", "error"]),
  message: z.string(),
  /** What the message's Undo button takes back. */
  undo: z.string().optional(),
  /** Where to go on from here. */
  link: z.object({ to: z.string(), label: z.string() }).optional(),
});

/** A short message shown once, on the next page. */
export type Toast = z.infer<typeof toastSchema>;

/** A message being shown; the id tells it from the next one, which may say the same. */
export type ShownToast = Toast & { id: string };

/** Answers 303 to `to`, where the toast will be shown; `headers` may carry further cookies. */
export async function redirectWithToast(
  context: RequestContext,
  to: string,
  toast: Toast,
  headers = new Headers(),
): Promise<TypedResponse<never>> {
  headers.append("Set-Cookie", await context.cookies.flash.serialize(toast));
  return redirect(to, { status: 303, headers });
}

/** Reads the message a redirect left, if any, and the headers that make sure it is shown only once. */
export async function takeToast(
  context: RequestContext,
  request: Request,
): Promise<{ toast: ShownToast | null; headers: Headers }> {
  const headers = new Headers();
  const held = toastSchema.safeParse(await context.cookies.flash.parse(request.headers.get("Cookie")));
  if (ownCookieNames(request).includes(context.cookies.flash.name)) {
    headers.append("Set-Cookie", await context.cookies.flash.serialize("", { maxAge: 0 }));
  }
  return { toast: held.success ? { ...held.data, id: crypto.randomUUID() } : null, headers };
}
