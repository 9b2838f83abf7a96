import type { ActionFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData } from "@remix-run/react";
import { signUpSchema } from "#app/features/accounts/account.schema.ts";
import { errorTitle, pageTitle } from "#app/platform/page-title.ts";
import { formClientAction } from "./form-client-action.ts";
import { signUp } from "./sign-up.server.ts";
import { SignUpPage } from "./sign-up-form.tsx";

export const meta: MetaFunction = ({ error }) => pageTitle(errorTitle(error) ?? "Sign Up");
export { actionHeaders as headers } from "#app/platform/action-headers.ts";

export async function action({ request, context }: ActionFunctionArgs) {
  // Public: this is the way in for sellers.
  return signUp(context, request, "Seller");
}

export const clientAction = formClientAction(signUpSchema);

export default function SellerSignUp() {
  return <SignUpPage userType="Seller" lastResult={useActionData<typeof action>()?.result} />;
}

export { RouteError as ErrorBoundary } from "../site/error-pages.tsx";
