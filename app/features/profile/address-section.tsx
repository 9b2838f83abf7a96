import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { VerifiedIcon } from "#app/ui/icons.tsx";
import { Section } from "#app/ui/section.tsx";

export function AddressSection({ email, verified }: { email: string; verified: boolean }) {
  return (
    <Section title="Email" intro="You log in with this address, and we send emails about your account to it.">
      <p className="font-medium wrap-anywhere">
        <EmailAddress email={email} />
      </p>
      {verified ? (
        <p className="mt-1 flex items-center gap-1.5 text-sm font-medium text-success">
          <VerifiedIcon className="size-4" />
          Confirmed
        </p>
      ) : (
        <Form method="post" action="/manage/account/verify" preventScrollReset>
          <input type="hidden" name="redirectTo" value="/manage/account" />
          <p className="mt-1 mb-5 text-sm text-quiet">
            Not confirmed yet. Open the link in the email we sent you, or request a new one. Until then we
            send no emails about orders, messages and other news.
          </p>
          <SubmitButton action="/manage/account/verify" className="btn-outline">
            Send me a link
          </SubmitButton>
        </Form>
      )}
    </Section>
  );
}
