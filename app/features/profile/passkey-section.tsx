import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form, Link } from "@remix-run/react";
import { brand } from "#app/brand.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { dayLabel } from "#app/ui/date-label.ts";
import { Section } from "#app/ui/section.tsx";
import { passkeyMinutes } from "../accounts/passkey.rules.ts";
import { PasskeyButton, type PasskeyOutcome } from "../accounts/passkey-button.tsx";
import type { ListedPasskey } from "../accounts/passkeys.server.ts";

/** Where a passkey is removed. */
const action = "/manage/account/passkeys";

/**
 * The viewer's passkeys, to add to and remove. Without JavaScript, which passkeys cannot do without, it is a
 * list to remove from, and there only when there is something in it.
 *
 * @param mayChange whether the viewer has logged in just now
 * @param mayAdd whether passkeys work at this address, too
 * @param make has the browser make one
 */
export function PasskeySection({
  passkeys,
  mayChange,
  mayAdd,
  make,
}: {
  passkeys: SerializeFrom<ListedPasskey>[];
  mayChange: boolean;
  mayAdd: boolean;
  make: () => Promise<PasskeyOutcome>;
}) {
  return (
    <Section
      title="Passkeys"
      intro={`Log in with your fingerprint, your face or the PIN of your device, without a password. A passkey works at ${brand.name} alone, so nobody can lure it out of you.`}
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
          <PasskeyButton hold={make} className="btn-outline justify-self-start">
            Add a passkey
          </PasskeyButton>
        </div>
      )}
      {!mayChange && (
        <p>
          You logged in more than {passkeyMinutes} minutes ago. To change your passkeys,{" "}
          <Link to="/login?redirectTo=/manage/account" className="link font-medium text-primary">
            log in once more
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
