import { Form } from "@remix-run/react";
import type { NotificationKind } from "#app/db/enums.ts";
import { EnterButton, SubmitButton } from "#app/ui/button.tsx";
import { Section } from "#app/ui/section.tsx";
import { type EmailGroup, emailGroups, notificationTexts } from "./notification-texts.ts";

/** A kind of notifications that someone can have by email. */
interface EmailKind {
  kind: NotificationKind;
  isOn: boolean;
}

/** The choice of emails on My account. */
export function EmailsSection({
  email,
  isConfirmed,
  kinds,
}: {
  email: string;
  isConfirmed: boolean;
  kinds: EmailKind[];
}) {
  return (
    <Section
      title="Emails"
      intro="Pick what we email you about. You’ll find everything under Notifications, too. Links you ask for always come through."
    >
      <Form method="post" id="emails" preventScrollReset className="grid scroll-mt-24 gap-6">
        <input type="hidden" name="intent" value="emails" />
        <input type="hidden" name="account" value={email} />
        {kinds.map(({ kind }) => (
          <input key={kind} type="hidden" name="shown" value={kind} />
        ))}
        <EnterButton />
        {!isConfirmed && (
          <p className="font-medium text-warning">
            Until you confirm your email address, we only send those about orders, so nobody else gets your
            mail.
          </p>
        )}
        <div className="border-t border-base-300">
          {emailGroups.map((group) => (
            <EmailGroupChoices key={group} group={group} kinds={kinds} />
          ))}
        </div>
      </Form>
    </Section>
  );
}

/** The kinds of a group, folded with the button that saves them, and one that switches all on or off at once. */
function EmailGroupChoices({ group, kinds }: { group: EmailGroup; kinds: EmailKind[] }) {
  const offered = kinds.filter(({ kind }) => notificationTexts[kind].group === group);
  const on = offered.filter(({ isOn }) => isOn).length;
  if (offered.length === 0) return null;
  return (
    <div className="flex items-start justify-between gap-4 border-b border-base-300 py-2">
      <details className="min-w-0 flex-1">
        <summary className="link inline-flex min-h-9 items-center gap-2">
          <span className="font-medium">{group}</span>{" "}
          <span className="text-sm text-quiet">
            {on === offered.length ? "All on" : on === 0 ? "All off" : `${on} of ${offered.length} on`}
          </span>
        </summary>
        <div className="gap-x-6 py-1 xl:columns-2">
          {offered.map(({ kind, isOn }) => (
            <label key={kind} className="flex cursor-pointer break-inside-avoid gap-3 py-1.5">
              <input
                type="checkbox"
                name="kinds"
                value={kind}
                defaultChecked={isOn}
                className="mt-0.5 size-5 shrink-0 accent-primary"
              />
              {notificationTexts[kind].label}
            </label>
          ))}
        </div>
        <SubmitButton pending={{ intent: "emails" }} className="btn-primary btn-sm mb-2">
          Save choices
        </SubmitButton>
      </details>
      <button
        type="submit"
        name={on > 0 ? "none" : "all"}
        value={group}
        className="btn btn-outline btn-sm"
        aria-label={`${on > 0 ? "Turn off" : "Turn on"} all emails about ${group}`}
      >
        {on > 0 ? "Turn off" : "Turn on"}
      </button>
    </div>
  );
}
