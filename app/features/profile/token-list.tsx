import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form } from "@remix-run/react";
import { SubmitButton } from "#app/ui/button.tsx";
import { dayLabel } from "#app/ui/date-label.ts";
import type { ListedToken } from "../accounts/personal-access-tokens.server.ts";

const scopeLabels = { read: "Read", write: "Read and write" };

export function TokenList({ tokens }: { tokens: SerializeFrom<ListedToken>[] }) {
  if (tokens.length === 0) return <p className="text-quiet">You have no tokens.</p>;
  return (
    <ul className="divide-y divide-base-300">
      {tokens.map((token) => (
        <li key={token.id} className="flex items-center justify-between gap-4 py-3 first:pt-0">
          <TokenFacts {...token} />
          <Form method="post" preventScrollReset className="shrink-0">
            <input type="hidden" name="intent" value="revoke" />
            <input type="hidden" name="_id" value={token.id} />
            <SubmitButton
              pending={{ intent: "revoke", _id: token.id }}
              description={`Token ${token.name}`}
              className="btn-outline btn-sm"
            >
              {token.hasExpired ? "Remove" : "Revoke"}
            </SubmitButton>
          </Form>
        </li>
      ))}
    </ul>
  );
}

function TokenFacts({ name, scope, expiresAt, lastUsedAt, hasExpired }: SerializeFrom<ListedToken>) {
  return (
    <div className="min-w-0">
      <p className="font-medium wrap-anywhere">{name}</p>
      <p className="flex flex-wrap gap-x-3 text-sm text-quiet">
        <span>{scopeLabels[scope]}</span>
        <span className={hasExpired ? "font-medium text-error" : undefined}>
          {hasExpired ? "Expired" : "Expires"} <Day date={expiresAt} />
        </span>
        <span>
          {lastUsedAt ? (
            <>
              Last used <Day date={lastUsedAt} />
            </>
          ) : (
            "Not used yet"
          )}
        </span>
      </p>
    </div>
  );
}

function Day({ date }: { date: string }) {
  return <time dateTime={date}>{dayLabel(date)}</time>;
}
