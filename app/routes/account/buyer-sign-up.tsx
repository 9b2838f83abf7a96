import type { ActionFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData } from "@remix-run/react";
import { signUp } from "#app/auth/sign-up.server.ts";
import { signUpSchema } from "#app/features/accounts/account.schema.ts";
import { SignUpPage } from "#app/features/accounts/sign-up-form.tsx";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { formClientAction } from "./form-client-action.ts";

export const meta: MetaFunction = ({ error }) => pageTitle(errorTitle(error) ?? "Sign Up");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export async function action({ request, context }: ActionFunctionArgs) {
  // Public: sign-up for buyers.
  return signUp(context, request, "Buyer");
}

export const clientAction = formClientAction(signUpSchema);

export default function BuyerSignUp() {
  return <SignUpPage userType="Buyer" lastResult={useActionData<typeof action>()?.result} />;
}

export { RouteError as ErrorBoundary } from "../pages/error-pages.tsx";
