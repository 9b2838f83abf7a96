import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form, Link } from "@remix-run/react";
import { brand } from "#app/brand.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { dayLabel } from "#app/ui/date-label.ts";
import { Section } from "#app/ui/section.tsx";
import { recentLoginMinutes } from "../accounts/account.rules.ts";
import { PasskeyButton } from "../accounts/passkey-button.tsx";
import type { PasskeyOutcome } from "../accounts/passkey-ceremony.ts";
import type { ListedPasskey } from "../accounts/passkeys.server.ts";

const action = "/manage/account/passkeys";

/** The viewer's passkeys. `mayChange`: logged in recently; `mayAdd`: passkeys also work at this host. */
export function PasskeySection({
  passkeys,
  mayChange,
  mayAdd,
  create,
}: {
  passkeys: SerializeFrom<ListedPasskey>[];
  mayChange: boolean;
  mayAdd: boolean;
  create: () => Promise<PasskeyOutcome>;
}) {
  if (passkeys.length === 0 && !mayAdd && mayChange) return null;
  return (
    <Section
      title="Passkeys"
      intro={`Log in with your fingerprint, your face or the PIN of your device, without a password. A passkey works only on ${brand.name}, so it cannot be phished.`}
      className={passkeys.length === 0 ? "noscript:hidden" : ""}
    >
      {passkeys.length > 0 && (
        <ul className="mb-5 divide-y divide-base-300">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} removable={mayChange} />
          ))}
        </ul>
      )}
      {mayAdd && (
        <div className="noscript:hidden">
          <PasskeyButton start={create} className="btn-outline justify-self-start">
            Add a passkey
          </PasskeyButton>
        </div>
      )}
      {!mayChange && (
        <p>
          You logged in more than {recentLoginMinutes} minutes ago. To change your passkeys,{" "}
          <Link to="/login?redirectTo=/manage/account&again=yes" className="link font-medium text-primary">
            log in again
          </Link>
          .
        </p>
      )}
    </Section>
  );
}

function PasskeyRow({ passkey, removable }: { passkey: SerializeFrom<ListedPasskey>; removable: boolean }) {
  const { id, name, createdAt, lastUsedAt } = passkey;
  return (
    <li className="flex items-center justify-between gap-4 py-3 first:pt-0">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-sm text-quiet">
          Added <Day date={createdAt} /> ·{" "}
          {lastUsedAt ? (
            <>
              Last used <Day date={lastUsedAt} />
            </>
          ) : (
            "Not used yet"
          )}
        </p>
      </div>
      {removable && (
        <Form method="post" action={action} preventScrollReset>
          <input type="hidden" name="_id" value={id} />
          <SubmitButton
            action={action}
            pending={{ _id: id }}
            className="btn-sm btn-outline btn-error"
            description={`Passkey ${name}`}
          >
            Remove
          </SubmitButton>
        </Form>
      )}
    </li>
  );
}

function Day({ date }: { date: string }) {
  return <time dateTime={date}>{dayLabel(date)}</time>;
}
