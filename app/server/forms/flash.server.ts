import { redirect, type TypedResponse } from "@remix-run/cloudflare";
import { z } from "zod";
import { ownCookieNames } from "../http/cookies.server.ts";
import type { RequestContext } from "../http/request-context.server.ts";
import type { FormRefusal } from "./forms.server.ts";

const toastSchema = z.object({
  kind: z.enum(["success", "error"]),
  message: z.string(),
  /** Ids of the removals that the toast's Undo button reverts, separated by commas. */
  undo: z.string().optional(),
  /** A form with one button, which posts these fields and the shown page as "redirectTo". */
  button: z
    .object({ label: z.string(), action: z.string(), fields: z.record(z.string(), z.string()) })
    .optional(),
  link: z.object({ to: z.string(), label: z.string() }).optional(),
});

/** A short message shown once, on the next page. */
export type Toast = z.infer<typeof toastSchema>;

/** A toast with an id, so that a repeated message is shown again. */
export type ShownToast = Toast & { id: string };

/** Redirects with 303 and shows a toast on the next page. */
export async function redirectWithToast(
  context: RequestContext,
  to: string,
  toast: Toast,
  headers = new Headers(),
): Promise<TypedResponse<never>> {
  headers.append("Set-Cookie", await context.cookies.flash.serialize(toast));
  return redirect(to, { status: 303, headers });
}

/** Refuses a form of a route without a page: goes back with the message as a toast. */
export function redirectRefused(
  context: RequestContext,
  to: string,
  { formErrors = [], retryAfter }: FormRefusal,
): Promise<TypedResponse<never>> {
  const headers = new Headers(retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) });
  return redirectWithToast(context, to, { kind: "error", message: formErrors.join(" ") }, headers);
}

/** Reads the toast set by a redirect, with headers that clear it. */
export async function takeToast(
  context: RequestContext,
  request: Request,
): Promise<{ toast: ShownToast | null; headers: Headers }> {
  const headers = new Headers();
  const parsed = toastSchema.safeParse(await context.cookies.flash.parse(request.headers.get("Cookie")));
  if (ownCookieNames(request).includes(context.cookies.flash.name)) {
    headers.append("Set-Cookie", await context.cookies.flash.serialize("", { maxAge: 0 }));
  }
  return { toast: parsed.success ? { ...parsed.data, id: crypto.randomUUID() } : null, headers };
}
