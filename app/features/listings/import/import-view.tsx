import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form, useActionData, useRevalidator } from "@remix-run/react";
import { Fragment, type ReactNode, useEffect } from "react";
import { countLabel } from "#app/market.ts";
import { maxUploadMegabytes } from "#app/server/forms/upload-limit.ts";
import { undoMinutes } from "#app/terms.ts";
import { isoDayLabel } from "#app/time.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { SubmitButton } from "#app/ui/button.tsx";
import { ActionError, actionErrorOf, type RefusedAction } from "#app/ui/error-box.tsx";
import { Link } from "#app/ui/link.tsx";
import { CursorPager } from "#app/ui/pager.tsx";
import { Table } from "#app/ui/table.tsx";
import {
  importRefusals,
  isRunning,
  leftOutRowText,
  maxImportBytes,
  maxImportRows,
  photosColumn,
  rowRefusalText,
} from "./import.rules.ts";
import type { FoundImport, ImportRow, listImportRows } from "./imports.server.ts";

const path = "/manage/mysells/import";
const refreshMs = 3000;

type Found = SerializeFrom<FoundImport>;
type Page = SerializeFrom<Awaited<ReturnType<typeof listImportRows>>>;

/** Import of listings: the form, and where the newest import stands. */
export function ImportView({
  found,
  earlier,
  page,
  account,
  leftToday,
  pausedUntil,
}: {
  found: Found | null;
  /** Others that can be undone, or were a short time ago. */
  earlier: Found[];
  page: Page | null;
  account: string;
  /** Of a file that is checked: how many listings the seller can still publish today. */
  leftToday: number | null;
  /** When the pause of all listings ends. */
  pausedUntil: string | null;
}) {
  const isBusy = found !== null && isRunning(found.state);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isBusy) return;
    const timer = setInterval(revalidate, refreshMs);
    return () => clearInterval(timer);
  }, [isBusy, revalidate]);
  return (
    <>
      <BackLink to="/manage/mysells">My Sellings</BackLink>
      <h1 className="mb-2 text-2xl font-semibold sm:text-3xl">Import listings</h1>
      <p className="mb-6 max-w-prose text-quiet">
        Add and change many listings with one CSV file. A row’s number (SKU) says which listing it is, so the
        same file twice changes nothing. Start with{" "}
        <a href="/manage/mysells/listings.csv" className="link">
          your listings as a CSV file
        </a>
        : if you have none yet, it’s a template with an example.
      </p>
      <ActionError>
        {actionErrorOf(useActionData<RefusedAction>()) === importRefusals.running && (
          <Link to={path} className="link">
            See how far it is
          </Link>
        )}
      </ActionError>
      {!isBusy && <UploadForm account={account} />}
      {found && (
        <section aria-label={found.fileName} className="mt-8">
          <h2 className="mb-2 text-xl font-semibold wrap-anywhere">{found.fileName}</h2>
          <ImportState
            found={found}
            account={account}
            why=": see why below"
            leftToday={leftToday}
            pausedUntil={pausedUntil}
          />
          {page && !isBusy && <Rows page={page} found={found} />}
        </section>
      )}
      {earlier.map((one) => (
        <section key={one.id} aria-label={`${one.fileName}, imported before`} className="mt-8">
          <h2 className="mb-2 text-xl font-semibold wrap-anywhere">{one.fileName}</h2>
          <ImportState found={one} account={account} />
        </section>
      ))}
    </>
  );
}

function UploadForm({ account }: { account: string }) {
  return (
    <Form method="post" encType="multipart/form-data" className="flex flex-wrap items-end gap-3">
      <input type="hidden" name="account" value={account} />
      <FileField name="file" label="CSV file" accept=".csv,.txt,.tsv,text/csv" required />
      <FileField name="photos" label="Photos (ZIP file, optional)" accept=".zip,application/zip" />
      <SubmitButton pending={{ intent: "" }}>Check file</SubmitButton>
      <p className="w-full text-sm text-quiet">
        Up to {countLabel(maxImportRows)} rows and {maxImportBytes / 1024 ** 2} MB, with the ZIP file up to{" "}
        {maxUploadMegabytes} MB. The column “Photos” names files in it, or links, separated by “|”. They’re
        added to listings that have no photos. We show you what the file does before anything changes.
      </p>
    </Form>
  );
}

function FileField({
  name,
  label,
  ...input
}: {
  name: string;
  label: string;
  accept: string;
  required?: true;
}) {
  return (
    <div className="min-w-0">
      <label htmlFor={`import-${name}`} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <input
        id={`import-${name}`}
        name={name}
        type="file"
        className="w-full cursor-pointer text-sm file:mr-4 file:rounded-field file:border file:px-4 file:py-2.5 file:font-semibold"
        {...input}
      />
    </div>
  );
}

const rowsLabel = (count: number) => `${countLabel(count)} ${count === 1 ? "row" : "rows"}`;
const listingsLabel = (count: number) => `${countLabel(count)} ${count === 1 ? "listing" : "listings"}`;

/** @param why where the rows say why */
function ImportState({
  found,
  account,
  why = "",
  leftToday = null,
  pausedUntil = null,
}: {
  found: Found;
  account: string;
  why?: string;
  leftToday?: number | null;
  pausedUntil?: string | null;
}) {
  const { state, numbers, id, canUndo, unknownColumns } = found;
  const { created, changed, unchanged, wrong, doubtful, missingPhotos, lostPhotos } = numbers;
  const { toApply, left, applied, refused, unconfirmed, undone, kept } = numbers;
  const leftOut = refused + unconfirmed;
  const act = (intent: "apply" | "undo", label: string, fields?: ReactNode) => (
    <Form method="post" className="mb-6">
      <input type="hidden" name="account" value={account} />
      <input type="hidden" name="_id" value={id} />
      {fields}
      <SubmitButton intent={intent} className={intent === "apply" ? "btn-primary" : "btn-outline"}>
        {label}
      </SubmitButton>
    </Form>
  );
  if (state === "checked") {
    const importable = Math.min(created, leftToday ?? created) + changed;
    return (
      <>
        <p className="mb-2">
          {countLabel(created)} new · {countLabel(changed)} changed · {countLabel(unchanged)} unchanged ·{" "}
          {countLabel(wrong)} wrong
        </p>
        {leftToday !== null && leftToday < created && (
          <p className="mb-2 text-quiet">
            {leftToday === 0
              ? "You can’t list any more today."
              : `You can list ${countLabel(leftToday)} more today. Of the new ones, the others have to wait.`}{" "}
            Import the same file again tomorrow.
          </p>
        )}
        {pausedUntil && created > 0 && (
          <p className="mb-2 text-quiet">
            Your listings are paused until {isoDayLabel(pausedUntil.slice(0, 10))}, so new ones are paused,
            too.
          </p>
        )}
        {unknownColumns.length > 0 && (
          <p className="mb-2 wrap-anywhere text-quiet">
            We don’t know these columns and leave them out: {unknownColumns.join(", ")}.
          </p>
        )}
        {missingPhotos > 0 && (
          <p className="mb-2 text-quiet">
            {rowsLabel(missingPhotos)} {missingPhotos === 1 ? "names" : "name"} photos that we can’t add: see
            why below. Fix the ZIP file and check again, or go on without them.
          </p>
        )}
        {wrong > 0 && (
          <p className="mb-2 text-quiet">
            Wrong rows are left out. Fix them and check the file again
            {importable > 0 && ", or go on without"}.
          </p>
        )}
        {created + changed === 0
          ? wrong === 0 && <p className="mb-6">Your listings already say all that a file can change.</p>
          : importable > 0 &&
            act(
              "apply",
              doubtful > 0 ? "Import these listings" : `Import ${listingsLabel(importable)}`,
              doubtful > 0 && (
                <label className="mb-4 flex items-start gap-2">
                  <input type="checkbox" name="confirmed" className="size-5 shrink-0 accent-primary" />
                  <span>
                    The unlikely values in {rowsLabel(doubtful)} are right. If you don’t check this, those
                    rows are left out.
                  </span>
                </label>
              ),
            )}
      </>
    );
  }
  if (isRunning(state)) {
    const isUndoing = state === "undoing";
    const done = isUndoing ? undone + kept : toApply - left;
    const all = isUndoing ? applied : toApply;
    const label = `${isUndoing ? "Undone" : "Imported"}: ${countLabel(done)} of ${countLabel(all)}`;
    return (
      <>
        <progress aria-label={label} max={all} value={done} className="w-full max-w-60" />
        <p className="mt-2 mb-4" role="status">
          {label}.{!isUndoing && done === all && " Adding photos."} You can leave this page: it goes on.{" "}
          <Link to={path} className="link">
            Refresh
          </Link>
        </p>
        {!isUndoing && act("undo", "Stop and undo")}
      </>
    );
  }
  return (
    <>
      <p className="mb-2">
        {state === "undone"
          ? `Undone: ${listingsLabel(undone)}.${kept > 0 ? ` ${countLabel(kept)} kept${why}.` : ""}`
          : `Imported: ${listingsLabel(applied - undone)}.${leftOut > 0 ? ` ${countLabel(leftOut)} left out${why}.` : ""}`}
        {state === "stopped" &&
          left > 0 &&
          ` It stopped because your account was suspended, with ${rowsLabel(left)} left.`}
      </p>
      {lostPhotos > 0 && (
        <p className="mb-2 text-quiet">
          {rowsLabel(lostPhotos)} {lostPhotos === 1 ? "has" : "have"} photos that we couldn’t add{why}. Add
          them in My Sells.
        </p>
      )}
      {canUndo && applied > undone && (
        <>
          <p className="mb-2 max-w-prose text-quiet">
            You have {undoMinutes} minutes to undo it: new listings are deleted, changed ones are as before.
            What you’ve changed since stays as it is, and so does what others have booked, saved, made an
            offer for or written to you about. A file that waits to be imported has to be uploaded again.
          </p>
          {act("undo", "Undo import")}
        </>
      )}
    </>
  );
}

const isAct = ({ plan }: Pick<SerializeFrom<ImportRow>, "plan">) => plan === "created" || plan === "changed";

const planLabels = { wrong: "Wrong", created: "New", changed: "Changed", unchanged: "Unchanged" };
const resultLabels = { done: "Imported", refused: "Left out", undone: "Undone", kept: "Kept" };

function Rows({ page: { rows, next }, found }: { page: Page; found: Found }) {
  const isChecked = found.state === "checked";
  return (
    <>
      <Table
        caption="Rows of the file"
        columns={[
          { label: "Listing", rowHeader: true, longWords: true },
          "Result",
          { label: "What and why", onCard: "cell", longWords: true },
        ]}
        firstNumber={1}
        rows={rows.map((row) => ({
          key: String(row.line),
          cells: [
            <Fragment key="listing">
              {row.device}
              <span className="block text-sm text-quiet">
                Row {row.line}
                {row.ownNumber && ` · ${row.ownNumber}`}
              </span>
            </Fragment>,
            row.result
              ? resultLabels[row.result]
              : isChecked || !isAct(row)
                ? planLabels[row.plan]
                : resultLabels.refused,
            <Details key="details" row={row} note={leftOutRowText(row, found)} />,
          ],
        }))}
        empty={null}
      />
      <CursorPager path={path} previous={null} next={next === null ? null : String(next)} />
    </>
  );
}

/** Most texts begin with the name of the column, in another letter case. */
const remarkText = (column: string, text: string) =>
  text.toLowerCase().startsWith(column.toLowerCase())
    ? column + text.slice(column.length)
    : `${column}: ${text}`;

function Details({ row, note }: { row: SerializeFrom<ImportRow>; note: string | null }) {
  const { remarks, refusal, changes, photos, photoRemarks } = row;
  return (
    <ul className="wrap-anywhere">
      {refusal && <li>{rowRefusalText(refusal)}</li>}
      {note && <li>{note}</li>}
      {remarks
        // Photos have been tried since.
        .filter(({ column }) => !(photoRemarks && column === photosColumn))
        .map(({ column, text }) => (
          <li key={`${column} ${text}`}>{remarkText(column, text)}</li>
        ))}
      {photos > 0 && !photoRemarks && <li>{photos === 1 ? "1 photo" : `${photos} photos`}</li>}
      {photoRemarks?.map((text) => (
        <li key={text}>{text}</li>
      ))}
      {changes.map(({ column, from, to }) => (
        <li key={column}>
          {column}:{" "}
          {from === null && to === null ? "changed" : `${from ?? "not stated"} → ${to ?? "not stated"}`}
        </li>
      ))}
    </ul>
  );
}
