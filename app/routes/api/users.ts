import { z } from "zod";
import { forbidden, requireAccess } from "#app/auth/api-client.server.ts";
import { addressTaken, handleSignUp } from "#app/auth/handle-sign-up.server.ts";
import { startSession } from "#app/auth/start-session.server.ts";
import { newUserSchema } from "#app/features/accounts/account.schema.ts";
import { isSameEmail } from "#app/features/accounts/email.server.ts";
import { selectUsers } from "#app/features/administration/users.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { toUser, userRecord } from "./account-records.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { listResponse, pageQuery } from "./list.server.ts";
import { insertedResponse, insertedSchema } from "./results.ts";

const route = defineApiRoute({
  GET: operation({
    tag: "Accounts",
    summary: "List all users",
    access: "manage users",
    query: pageQuery,
    response: z.array(userRecord),
    paginated: true,
    handle: ({ request, context, query }) =>
      listResponse(request, query, { read: selectUsers.bind(null, context.db, undefined), record: toUser }),
  }),
  POST: operation({
    tag: "Accounts",
    summary: "Sign up",
    description:
      "Creates an account and sets a session cookie. Without a password, it only acknowledges your own record, and only while you’re logged in.",
    access: "anyone",
    needsSession: true,
    body: newUserSchema,
    example: { name: "Mia Sund", email: "mia@mail.example", userType: "Buyer", password: "secret1" },
    mutation: "sign up",
    response: insertedSchema,
    signsIn: ({ password }) => password !== undefined,
    errors: {
      401: "The body has no password, and you’re not logged in.",
      403: "The body has no password, and the email address isn’t yours.",
      409: "The email address is taken.",
    },
    async handle({ request, context, viewer, body: { password, ...user } }) {
      if (password === undefined) {
        requireAccess(request, viewer, "signed in");
        return isSameEmail(user.email, viewer.email) ? insertedResponse(viewer.id) : forbidden(viewer);
      }
      const account = await handleSignUp(context, request, { ...user, password });
      if (!account) return problem(409, addressTaken);
      const response = insertedResponse(account.id);
      await startSession(context, request, account, { method: "sign-up", headers: response.headers });
      return response;
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
