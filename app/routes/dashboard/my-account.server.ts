import { type AppLoadContext, redirect, type TypedResponse } from "@remix-run/cloudflare";
import { z } from "zod";
import { reportCredentialChange, sendPasswordEmail } from "#app/auth/account-emails.server.ts";
import { accountChangeRefusal, formRefusal, hasJustLoggedIn } from "#app/auth/guard.server.ts";
import { confirmPassword } from "#app/auth/password-login.server.ts";
import { logoutHeaders, sessionCookieOf } from "#app/auth/start-session.server.ts";
import { recentLoginMinutes } from "#app/features/accounts/account.rules.ts";
import {
  closingByEmailSchema,
  closingSchema,
  nameSchema,
  newEmailAddressByLoginSchema,
  newEmailAddressSchema,
  passwordSchema,
  shopSchema,
  typedFields,
} from "#app/features/accounts/account.schema.ts";
import { requestAddressChange } from "#app/features/accounts/address-change.server.ts";
import { isSameEmail } from "#app/features/accounts/email.server.ts";
import { changePassword, withHashingSlot } from "#app/features/accounts/passwords.server.ts";
import {
  closeOtherSessions,
  closeOwnSession,
  closeSession,
  isHashOf,
} from "#app/features/accounts/sessions.server.ts";
import { isSuspended, type Viewer } from "#app/features/accounts/viewer.ts";
import { unblock } from "#app/features/messages/blocks.server.ts";
import { chooseEmailKinds } from "#app/features/notifications/email-choices.server.ts";
import { notificationKindSchema } from "#app/features/notifications/notification.schema.ts";
import { changedSavedAddressSchema, savedAddressSchema } from "#app/features/orders/booking.schema.ts";
import {
  addressRefusals,
  addSavedAddress,
  changeSavedAddress,
  deleteAddress,
} from "#app/features/orders/saved-addresses.server.ts";
import type { ClosingProof } from "#app/features/profile/account-closing.server.ts";
import { changeName, changeShop, findProfile, noShopText } from "#app/features/profile/profile.server.ts";
import { redirectWithToast, type Toast } from "#app/server/forms/flash.server.ts";
import {
  type FormRefusal,
  invalidForm,
  parseForm,
  readForm,
  refusedForm,
} from "#app/server/forms/forms.server.ts";
import { unlessBusy } from "#app/server/http/outage.server.ts";
import { clientAddress, rateLimitRefusal } from "#app/server/http/rate-limits.server.ts";
import { badRequest } from "#app/server/http/responses.server.ts";
import { confirmedIn } from "../message-question.server.ts";

interface AccountFormArgs {
  context: AppLoadContext;
  /** Of the page that has the form. */
  path: string;
  request: Request;
  viewer: Viewer;
  sessionId: string;
  form: FormData;
}

type AccountForm = (
  posted: AccountFormArgs,
) => Promise<TypedResponse<never> | ReturnType<typeof refusedForm>>;

/** The forms of My account by page, and their handlers by `intent`. */
const formsOf = {
  "/manage/account": { name: rename, "email address": requestNewAddress, shop: saveShopText },
  "/manage/account/security": {
    password: replacePassword,
    "password link": sendPasswordLink,
    "log out": logOut,
    "log out others": logOutOthers,
    unblock: unblockPerson,
  },
  "/manage/account/addresses": {
    "add address": addAddress,
    "change address": changeAddress,
    "delete address": removeAddress,
  },
  "/manage/account/emails": { emails: chooseEmails },
  "/manage/account/data": { close },
} satisfies Record<string, Record<string, AccountForm>>;

/** Carries out a form of one page of My account. @throws Response if the page has no such form */
export async function handleAccountForm(
  path: keyof typeof formsOf,
  context: AppLoadContext,
  request: Request,
  session: { viewer: Viewer; sessionId: string },
) {
  const form = await readForm(request);
  const forms: Record<string, AccountForm> = formsOf[path];
  const intent = String(form.get("intent"));
  const handle = Object.hasOwn(forms, intent) ? forms[intent] : undefined;
  if (!handle) throw badRequest();
  const limitRefusal = await rateLimitRefusal(context, "change account", request);
  if (limitRefusal) return invalidForm(parseForm(form, typedFields), limitRefusal);
  return handle({ context, path, request, ...session, form });
}

async function rename({ context, path, viewer, form }: AccountFormArgs) {
  const submission = parseForm(form, nameSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const accountRefusal = accountChangeRefusal(form, viewer);
  if (accountRefusal) return invalidForm(submission, accountRefusal);
  if (isSuspended(viewer)) {
    const message = "You can’t change your name while your account is suspended.";
    return invalidForm(submission, { status: 403, fieldErrors: { name: [message] } });
  }
  await changeName(context.db, viewer, submission.value.name);
  return redirectWithSuccess(context, path, "Name changed");
}

/** Has a link sent to the new address: until it is used, nothing changes. Whether the address is taken is not told. */
async function requestNewAddress(posted: AccountFormArgs) {
  const { context, path, request, viewer, form } = posted;
  const { hasPassword } = await findProfile(context.db, viewer);
  const submission = parseForm(form, hasPassword ? newEmailAddressSchema : newEmailAddressByLoginSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const refusal = await formRefusal(posted, "change address");
  if (refusal) return invalidForm(submission, refusal);
  const { newEmail, currentPassword = "" } = submission.value;
  if (isSameEmail(newEmail, viewer.email)) return invalidForm(submission, sameAddress);
  if (hasPassword) {
    const credential = { field: "currentPassword", password: currentPassword };
    const { refusal } = await confirmPassword(context, request, viewer, credential);
    if (refusal) return invalidForm(submission, refusal);
  } else if (!(await hasJustLoggedIn(context, request))) return invalidForm(submission, loginTooOld);
  if (!(await requestAddressChange(context.db, viewer, newEmail))) return invalidForm(submission, manyLinks);
  return redirectWithSuccess(context, path, `Check ${newEmail}: we’ve sent you a link there.`);
}

const sameAddress: FormRefusal = { fieldErrors: { newEmail: ["That’s already your email address."] } };

const loginTooOld: FormRefusal = {
  status: 409,
  formErrors: [`Log in again, then change your email address within ${recentLoginMinutes} minutes.`],
};

const manyLinks: FormRefusal = {
  status: 429,
  formErrors: ["You’ve asked for several links in the last hour. Use the newest one, or try again later."],
};

async function saveShopText({ context, path, viewer, form }: AccountFormArgs) {
  const submission = parseForm(form, shopSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const accountRefusal = accountChangeRefusal(form, viewer);
  if (accountRefusal) return invalidForm(submission, accountRefusal);
  if (isSuspended(viewer)) {
    const message = "You can’t change your shop while your account is suspended.";
    return invalidForm(submission, { status: 403, fieldErrors: { shopText: [message] } });
  }
  // Only what was changed here: another tab may have saved the rest since.
  const isAsShown = ([name]: [string, unknown]) => form.get(`shown-${name}`) === form.get(name);
  const changes = Object.entries(submission.value).filter((entry) => !isAsShown(entry));
  const confirmed = confirmedIn(form);
  const outcome = await changeShop(context.db, viewer, Object.fromEntries(changes), confirmed);
  if (outcome === "no shop") return invalidForm(submission, { status: 403, formErrors: [noShopText] });
  if (outcome !== "saved") {
    const fieldErrors = { shopText: [`${outcome.text} Save again to keep it.`] };
    return invalidForm(submission, { fieldErrors, asked: [...confirmed, ...outcome.asked] });
  }
  return redirectWithSuccess(context, path, "Shop saved");
}

async function replacePassword({ context, path, request, viewer, sessionId, form }: AccountFormArgs) {
  const submission = parseForm(form, passwordSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const { currentPassword, password } = submission.value;
  const credential = { field: "currentPassword", password: currentPassword };
  const { passwordHash, refusal } = await confirmPassword(context, request, viewer, credential);
  if (refusal) return invalidForm(submission, refusal);
  const change = { sessionId, currentHash: passwordHash, password };
  const work = async () => {
    const nextId = await changePassword(context.db, viewer, change);
    if (!nextId) return invalidForm(submission, changedMeanwhile);
    reportCredentialChange(context, viewer.email, "password changed");
    const headers = await sessionCookieOf(context, request, nextId);
    return redirectWithSuccess(context, path, "Password changed", headers);
  };
  return unlessBusy(
    () => withHashingSlot(clientAddress(request), work),
    (busy) => invalidForm(submission, busy),
  );
}

async function sendPasswordLink({ context, path, viewer }: AccountFormArgs) {
  const outcome = await sendPasswordEmail(context, viewer);
  return redirectWithToast(context, path, linkToasts[outcome]);
}

async function logOut({ context, path, viewer, sessionId, form }: AccountFormArgs) {
  const idHash = String(form.get("session"));
  if (await isHashOf(idHash, sessionId)) {
    await closeSession(context.db, sessionId);
    return redirect("/", { status: 303, headers: await logoutHeaders(context) });
  }
  await closeOwnSession(context.db, viewer, idHash);
  return redirectWithSuccess(context, path, "Device logged out");
}

async function logOutOthers({ context, path, viewer, sessionId }: AccountFormArgs) {
  await closeOtherSessions(context.db, viewer, sessionId);
  return redirectWithSuccess(context, path, "All other devices logged out");
}

async function chooseEmails({ context, path, viewer, form }: AccountFormArgs) {
  const accountRefusal = accountChangeRefusal(form, viewer);
  if (accountRefusal) return refusedForm(accountRefusal);
  const kindsOf = (name: string) => z.array(notificationKindSchema).safeParse(form.getAll(name)).data;
  const [kinds, shown] = [kindsOf("kinds"), kindsOf("shown")];
  if (!kinds || !shown) throw badRequest();
  await chooseEmailKinds(context.db, viewer, kinds, {
    shown,
    all: form.get("all"),
    none: form.get("none"),
  });
  return redirectWithSuccess(context, path, "Email choices saved");
}

async function unblockPerson({ context, path, viewer, form }: AccountFormArgs) {
  await unblock(context.db, viewer, String(form.get("person")));
  return redirectWithSuccess(context, path, "Person unblocked");
}

async function addAddress({ context, path, viewer, form }: AccountFormArgs) {
  const submission = parseForm(form, savedAddressSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const accountRefusal = accountChangeRefusal(form, viewer);
  if (accountRefusal) return invalidForm(submission, accountRefusal);
  const refusal = await addSavedAddress(context.db, viewer, submission.value);
  if (refusal) return invalidForm(submission, { status: 409, formErrors: [addressRefusals[refusal]] });
  return redirectWithSuccess(context, path, "Address saved");
}

async function changeAddress({ context, path, viewer, form }: AccountFormArgs) {
  const submission = parseForm(form, changedSavedAddressSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const accountRefusal = accountChangeRefusal(form, viewer);
  if (accountRefusal) return invalidForm(submission, accountRefusal);
  const { savedAddress, ...details } = submission.value;
  const refusal = await changeSavedAddress(context.db, viewer, savedAddress, details);
  if (refusal) {
    const status = refusal === "unknown" ? 404 : 409;
    return invalidForm(submission, { status, formErrors: [addressRefusals[refusal]] });
  }
  return redirectWithSuccess(context, path, "Address changed");
}

async function removeAddress({ context, path, viewer, form }: AccountFormArgs) {
  await deleteAddress(context.db, viewer, String(form.get("address")));
  return redirectWithSuccess(context, path, "Address deleted");
}

function redirectWithSuccess(context: AppLoadContext, path: string, message: string, headers?: Headers) {
  return redirectWithToast(context, path, { kind: "success", message }, headers);
}

const linkToasts: Record<Awaited<ReturnType<typeof sendPasswordEmail>>, Toast> = {
  sent: { kind: "success", message: "Check your email: we’ve sent you a link to set a password." },
  "rate limited": {
    kind: "error",
    message: "We’ve just sent you several emails. Use the link in the newest one.",
  },
};

const changedMeanwhile: FormRefusal = {
  status: 409,
  formErrors: ["Your password was changed on another device, so we didn’t save this change."],
};

/** Deletes the account, once the user has confirmed it with the password or a recent login. */
async function close(posted: AccountFormArgs) {
  const { context, viewer } = posted;
  const { hasPassword } = await findProfile(context.db, viewer);
  const { submission, proof, refusal } = await (hasPassword ? confirmByPassword : confirmByRecentLogin)(
    posted,
  );
  const { closeAccount, closingRefusalText, isClosed } = await import(
    "#app/features/profile/account-closing.server.ts"
  );
  const outcome = proof && (await closeAccount(context.db, viewer, proof));
  if (outcome !== "closed" && !(await isClosed(context.db, viewer))) {
    const text = outcome && (await closingRefusalText(context.db, viewer, outcome));
    return invalidForm(submission, text ? { status: 409, formErrors: [text] } : refusal);
  }
  const toast = { kind: "success", message: "Account deleted" } as const;
  return redirectWithToast(context, "/", toast, await logoutHeaders(context));
}

interface ClosingForm {
  submission: Parameters<typeof invalidForm>[0];
  proof?: ClosingProof;
  refusal?: FormRefusal;
}

async function confirmByPassword({ context, request, viewer, form }: AccountFormArgs): Promise<ClosingForm> {
  const submission = parseForm(form, closingSchema);
  if (submission.status !== "success") return { submission };
  const credential = { field: "password", password: submission.value.password };
  const { passwordHash, refusal } = await confirmPassword(context, request, viewer, credential);
  return refusal ? { submission, refusal } : { submission, proof: { passwordHash } };
}

async function confirmByRecentLogin({ viewer, sessionId, form }: AccountFormArgs): Promise<ClosingForm> {
  const submission = parseForm(form, closingByEmailSchema);
  if (submission.status !== "success") return { submission };
  if (isSameEmail(submission.value.email, viewer.email)) return { submission, proof: { sessionId } };
  return { submission, refusal: { fieldErrors: { email: ["That’s not your account’s address."] } } };
}
