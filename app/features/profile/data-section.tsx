import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { Section } from "#app/ui/section.tsx";

export function DataSection() {
  return (
    <Section
      title="My data"
      intro="Everything we store about you as a JSON file: profile, listings, orders, reviews, messages, saved devices and searches, notifications, reports, passkeys, access tokens and sessions."
    >
      {/* Not by Remix: the response is a file. */}
      <Form method="post" action="/manage/account/data" reloadDocument>
        <SubmitButton action="/manage/account/data" className="btn-outline">
          Download my data
        </SubmitButton>
      </Form>
    </Section>
  );
}
