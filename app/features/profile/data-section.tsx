import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { Section } from "#app/ui/section.tsx";

/** Hands out what is kept of oneself. */
export function DataSection() {
  return (
    <Section
      title="My data"
      intro="What we keep of you as a JSON file: profile, listings, orders, reports, passkeys and sessions."
    >
      {/* As a document in any case: the answer is a file. */}
      <Form method="post" action="/manage/account/data" reloadDocument>
        <SubmitButton action="/manage/account/data" className="btn-outline">
          Download my data
        </SubmitButton>
      </Form>
    </Section>
  );
}
