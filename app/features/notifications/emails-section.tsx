import { Form } from "@remix-run/react";
import { type NotificationKind, notificationKinds } from "#app/db/enums.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { Section } from "#app/ui/section.tsx";
import { useMay } from "../accounts/use-may.ts";
import { emailGroups, groupPermissions, notificationTexts } from "./notification-texts.ts";

/** The choice of emails on My account. */
export function EmailsSection({
  email,
  isConfirmed,
  kinds,
}: {
  email: string;
  isConfirmed: boolean;
  kinds: NotificationKind[];
}) {
  const may = useMay();
  const groups = emailGroups.filter((group) => {
    const permission = groupPermissions[group];
    return !permission || may(permission);
  });
  return (
    <Section
      title="Emails"
      intro="Pick what we email you about. You’ll find everything under Notifications, too. Links you ask for always come through."
    >
      <Form method="post" id="emails" preventScrollReset className="grid scroll-mt-24 gap-6">
        <input type="hidden" name="intent" value="emails" />
        <input type="hidden" name="account" value={email} />
        {!isConfirmed && (
          <p className="font-medium text-warning">
            Until you confirm your email address, we only send those about orders, so nobody else gets your
            mail.
          </p>
        )}
        {groups.map((group) => (
          <fieldset key={group}>
            <legend className="mb-2 font-medium">{group}</legend>
            <div className="gap-x-6 xl:columns-2">
              {kindsOf(group).map((kind) => (
                <label key={kind} className="flex cursor-pointer break-inside-avoid gap-3 py-1.5">
                  <input
                    type="checkbox"
                    name="kinds"
                    value={kind}
                    defaultChecked={kinds.includes(kind)}
                    className="mt-0.5 size-5 shrink-0 accent-primary"
                  />
                  {notificationTexts[kind].label}
                </label>
              ))}
            </div>
          </fieldset>
        ))}
        <SubmitButton pending={{ intent: "emails" }} className="btn-primary justify-self-start">
          Save choices
        </SubmitButton>
      </Form>
    </Section>
  );
}

function kindsOf(group: (typeof emailGroups)[number]): NotificationKind[] {
  return notificationKinds.filter((kind) => notificationTexts[kind].group === group);
}
