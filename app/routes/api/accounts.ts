import { z } from "zod";
import { forbidden, issueTokenFor, requireAccess } from "#app/auth/api-client.server.ts";
import { handleSignUp } from "#app/auth/handle-sign-up.server.ts";
import { startSession } from "#app/auth/start-session.server.ts";
import { addressTaken } from "#app/features/accounts/account.rules.ts";
import { newUserSchema } from "#app/features/accounts/account.schema.ts";
import { hasRole } from "#app/features/accounts/account-access.server.ts";
import { isSameEmail } from "#app/features/accounts/email.server.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { emailInQuery } from "./account-in-query.server.ts";
import { sellerRecord, toSeller, toUser, userRecord } from "./account-records.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";
import { listQuerySchema, listResponse } from "./list.server.ts";
import {
  byEmail,
  deletedResponse,
  deletedSchema,
  idParams,
  insertedResponse,
  insertedSchema,
  modifiedCountSchema,
  modifiedManyResponse,
  modifiedManySchema,
  modifiedResponse,
  nothingDeleted,
  unmodifiedFields,
} from "./results.ts";

const loadUsers = () => import("#app/features/administration/users.server.ts");
const loadActions = () => import("#app/features/administration/user-actions.server.ts");

const routes = defineApiRoutes({
  "/users": {
    GET: operation({
      tag: "Accounts",
      summary: "List all users",
      access: "manage users",
      query: listQuerySchema,
      response: z.array(userRecord),
      paginated: true,
      handle: ({ request, context, query }) =>
        listResponse(request, query, {
          read: async (...page) => (await loadUsers()).selectUsers(context.db, undefined, ...page),
          record: toUser,
        }),
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
        if (!account) return problemDetails(409, addressTaken);
        const response = insertedResponse(account.viewer.id);
        await startSession(context, request, account.viewer, {
          method: "sign-up",
          headers: response.headers,
          opened: account.sessionId,
        });
        return response;
      },
    }),
  },
  "/users/delete/:id": {
    DELETE: operation({
      tag: "Accounts",
      summary: "Delete a user",
      description: "Logs them out everywhere and removes their listings, except reserved ones.",
      access: "manage users",
      mutation: "delete user",
      params: idParams,
      response: deletedSchema,
      errors: {
        404: "No such user.",
        409: "You can’t delete yourself, or somebody of whose orders we hold money.",
      },
      async handle({ context, viewer, params }) {
        if (params.id === viewer.id) return problemDetails(409, "You can’t delete yourself.", nothingDeleted);
        const { moneyHeldText, removeUser } = await loadActions();
        const { refusal } = await removeUser(context.db, viewer, params.id);
        if (!refusal) return deletedResponse();
        return refusal === "money held"
          ? problemDetails(409, moneyHeldText, nothingDeleted)
          : problemDetails(404, "No such user.", nothingDeleted);
      },
    }),
  },
  "/users/admin/:email": {
    GET: operation({
      tag: "Accounts",
      summary: "Check whether a user is an administrator",
      description:
        "Always false, unless it’s your own address, or you’re an administrator and use no personal access token.",
      access: "anyone",
      params: byEmail,
      response: z.object({ isAdmin: z.boolean() }),
      handle: async ({ context, viewer, params }) =>
        Response.json({ isAdmin: await hasRole(context.db, viewer, params.email, "Admin") }),
    }),
  },
  "/users/seller/:email": {
    GET: operation({
      tag: "Accounts",
      summary: "Check whether a user is a seller",
      description:
        "Always false, unless it’s your own address, or you’re an administrator and use no personal access token.",
      access: "anyone",
      params: byEmail,
      response: z.object({ isSeller: z.boolean() }),
      handle: async ({ context, viewer, params }) =>
        Response.json({ isSeller: await hasRole(context.db, viewer, params.email, "Seller") }),
    }),
  },
  "/sellers": {
    GET: operation({
      tag: "Accounts",
      summary: "List all sellers",
      access: "verify sellers",
      query: listQuerySchema,
      response: z.array(sellerRecord),
      paginated: true,
      handle: ({ request, context, query }) =>
        listResponse(request, query, {
          read: async (...page) => (await loadUsers()).selectUsers(context.db, "Seller", ...page),
          record: toSeller,
        }),
    }),
  },
  "/seller/verify/:id": {
    PUT: operation({
      tag: "Accounts",
      summary: "Verify a seller",
      description: "`modifiedCount` is 0 if the seller was already verified.",
      access: "verify sellers",
      mutation: "verify seller",
      params: idParams,
      response: modifiedCountSchema,
      errors: { 404: "No such seller." },
      async handle({ context, viewer, params }) {
        const { refusal } = await (await loadActions()).verifySeller(context.db, viewer, params.id);
        if (refusal === "not found") return problemDetails(404, "No such seller.", unmodifiedFields);
        return modifiedResponse(refusal ? 0 : 1);
      },
    }),
  },
  "/seller/approve/:id": {
    PUT: operation({
      tag: "Accounts",
      summary: "Approve all first listings of a seller",
      description: "Up to 100 at once. `modifiedCount` says how many are on sale now.",
      access: "moderate",
      mutation: "decide report",
      params: idParams,
      response: modifiedManySchema,
      errors: { 404: "No listing of the seller waits for approval." },
      async handle({ context, viewer, params, requestId }) {
        const { approveFirstListings } = await import("#app/features/moderation/decisions/decide.server.ts");
        const key = requestId ?? crypto.randomUUID();
        const approved = await approveFirstListings(context.db, viewer, params.id, key);
        return approved.length > 0
          ? modifiedManyResponse(approved.length)
          : problemDetails(404, "No listing of the seller waits for approval.", unmodifiedFields);
      },
    }),
  },
  "/jwt": {
    GET: operation({
      tag: "Accounts",
      summary: "Get a bearer token",
      description:
        "Valid for an hour, or until your session ends. Your session cookie asks for it: a bearer token can’t renew itself, and an expired one beside the cookie is fine.",
      access: "signed in",
      needsSession: true,
      byCookie: true,
      query: z.object({
        email: emailInQuery("email is required").describe("Your own email address."),
      }),
      response: z.object({ accessToken: z.string() }),
      async handle({ context, viewer, sessionId, query }) {
        if (!sessionId || !isSameEmail(query.email, viewer.email)) return forbidden(viewer);
        return Response.json({ accessToken: await issueTokenFor(context, { viewer, sessionId }) });
      },
    }),
  },
});

export const loader = routes.loader;
export const action = routes.action;
