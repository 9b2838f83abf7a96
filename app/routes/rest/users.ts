import { z } from "zod";
import { newUserSchema } from "#app/features/accounts/account.schema.ts";
import { createAccount } from "#app/features/accounts/accounts.server.ts";
import { usersAfter } from "#app/features/accounts/users.server.ts";
import { isSameAddress } from "#app/features/accounts/whose.server.ts";
import { problem } from "#app/platform/problem.server.ts";
import { startSession } from "../account/entrance.server.ts";
import { mailVerification } from "../account/mails.server.ts";
import { forbidden, refuseCaller } from "./caller.server.ts";
import { call, door } from "./door.server.ts";
import { listAnswer, pageQuery } from "./list.server.ts";
import { inserted, insertedAnswer, toUser, userRecord } from "./records.ts";

export const loader = door({
  GET: call({
    subject: "Accounts",
    summary: "All users",
    who: "admin",
    query: pageQuery,
    answer: z.array(userRecord),
    paged: true,
    make: ({ request, context, query }) =>
      listAnswer(request, query, { read: usersAfter.bind(null, context.db, null), record: toUser }),
  }),
  POST: call({
    subject: "Accounts",
    summary: "Sign up",
    description:
      "Creates an account and signs in by a session cookie. Without a password it only acknowledges the signed-in user's own record.",
    who: "anyone",
    body: newUserSchema,
    limit: "SIGN_UP_LIMIT",
    answer: inserted,
    signsIn: ({ password }) => password !== undefined,
    refusals: {
      401: "There is no password, and nobody is signed in.",
      403: "There is no password, and the address is not the caller's own.",
      409: "The address is in use.",
    },
    async make({ request, context, viewer, body: { password, ...user } }) {
      if (password === undefined) {
        refuseCaller(request, viewer, "signed in");
        return isSameAddress(user.email, viewer.email) ? insertedAnswer(viewer.id) : forbidden();
      }
      const account = await createAccount(context.db, { ...user, password });
      if (!account) return problem(409, "This email address is already in use.");
      context.inBackground(() => mailVerification(context, request, account));
      const answer = insertedAnswer(account.id);
      await startSession(context, request, account, answer.headers);
      return answer;
    },
  }),
});
