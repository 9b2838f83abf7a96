import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { signUp } from "#app/auth/sign-up.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { SignUpRoute } from "./sign-up-route.tsx";

export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";
export { signUpMeta as meta } from "./sign-up-route.tsx";

export const handle: RouteHandle = {
  canonical: () => ({ address: "/sellersignup", kind: "website" }),
};

export async function action({ request, context }: ActionFunctionArgs) {
  // Public: sign-up for sellers.
  return signUp(context, request, "Seller");
}

export { formClientAction as clientAction } from "./form-client-action.ts";

export default function SellerSignUp() {
  return <SignUpRoute userType="Seller" />;
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
