import type { SubmissionResult } from "@conform-to/react";
import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useSearchParams } from "@remix-run/react";
import { SignUpPage } from "#app/features/accounts/sign-up-form.tsx";
import { SignedInPage, signedInTitle } from "#app/features/accounts/signed-in-page.tsx";
import { type FrameData, useFrame } from "#app/frame/frame.tsx";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { safeRedirect } from "#app/server/http/safe-redirect.ts";

export const signUpMeta: MetaFunction = ({ error, matches }) => {
  const frame = matches.find(({ id }) => id === "root")?.data as FrameData | undefined;
  return pageTitle(errorTitle(error) ?? (frame?.signedIn ? signedInTitle : "Sign Up"));
};

/** The sign-up form, or for a signed-in user the way on. A refused form is shown again with what was typed. */
export function SignUpRoute({ userType }: { userType: "Buyer" | "Seller" }) {
  const lastResult = useActionData<{ result: SubmissionResult<string[]> }>()?.result;
  const { signedIn } = useFrame();
  const [query] = useSearchParams();
  if (!signedIn || lastResult) return <SignUpPage userType={userType} lastResult={lastResult} />;
  return (
    <SignedInPage continueTo={safeRedirect(query.get("redirectTo"))}>
      To create another account, log out first.
    </SignedInPage>
  );
}
