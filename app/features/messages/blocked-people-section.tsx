import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { Section } from "#app/ui/section.tsx";
import type { BlockedPerson } from "./blocks.server.ts";

export function BlockedPeopleSection({ people }: { people: SerializeFrom<BlockedPerson>[] }) {
  const { dayLabel } = useDateLabels();
  return (
    <Section
      title="Blocked people"
      intro="You can’t message each other. Block someone from your conversation with them."
    >
      {people.length === 0 ? (
        <p className="text-quiet">You haven’t blocked anyone.</p>
      ) : (
        <ul className="divide-y divide-base-300">
          {people.map(({ id, name, createdAt }) => (
            <li key={id} className="flex items-center justify-between gap-4 py-3 first:pt-0">
              <div className="min-w-0">
                <p className="font-medium wrap-anywhere">{name}</p>
                <p className="text-sm text-quiet">
                  Blocked <time dateTime={createdAt}>{dayLabel(createdAt)}</time>
                </p>
              </div>
              <Form method="post" preventScrollReset className="shrink-0">
                <input type="hidden" name="intent" value="unblock" />
                <input type="hidden" name="person" value={id} />
                <SubmitButton
                  pending={{ intent: "unblock", person: id }}
                  description={name}
                  className="btn-outline btn-sm"
                >
                  Unblock
                </SubmitButton>
              </Form>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
