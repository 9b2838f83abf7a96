import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form } from "@remix-run/react";
import { market } from "#app/market.ts";
import { maxPriceLength } from "#app/server/forms/parse-price.ts";
import { SubmitBar } from "#app/ui/button.tsx";
import { ConfirmedValues } from "#app/ui/field.tsx";
import { AlertIcon } from "#app/ui/icons.tsx";
import { Table } from "#app/ui/table.tsx";
import { DeviceStorage } from "./device-columns.tsx";
import { deviceName } from "./device-variant.rules.ts";
import { specifiedPriceLabel } from "./money.rules.ts";
import type { CheckedPrice } from "./price-change.rules.ts";
import type { PricedListing } from "./price-change.server.ts";
import { priceDirections, priceField, shownField } from "./price-field.rules.ts";

type PriceRow = PricedListing & CheckedPrice;

/** Raises or lowers all prices of the page below, as a preview. @param parameters what the page is about, sent again */
export function PriceStepForm({
  parameters,
  step,
  error,
}: {
  parameters: [string, string][];
  step: Record<string, string>;
  error: string | null;
}) {
  const { direction = "lower", by = "", unit = "percent" } = step;
  return (
    <Form method="get" className="mb-6 flex flex-wrap items-end gap-3" aria-label="Change all of them">
      {parameters.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <select name="direction" aria-label="Direction" defaultValue={direction} className="select w-32">
        {Object.entries(priceDirections).map(([direction, label]) => (
          <option key={direction} value={direction}>
            {label}
          </option>
        ))}
      </select>
      <input
        name="by"
        aria-label="By how much"
        inputMode="decimal"
        required
        defaultValue={by}
        maxLength={maxPriceLength}
        autoComplete="off"
        className={`input w-24 ${error ? "input-error" : ""}`}
        {...(error && { "aria-invalid": true, "aria-describedby": "by-error" })}
      />
      <select name="unit" aria-label="Unit" defaultValue={unit} className="select w-24">
        <option value="percent">%</option>
        <option value="amount">{market.currencySign}</option>
      </select>
      <label className="flex items-center gap-2 py-2">
        <input
          type="checkbox"
          name="nine"
          defaultChecked={"nine" in step}
          className="size-5 accent-primary"
        />
        Round to end in 9
      </label>
      <button type="submit" className="btn btn-outline">
        Preview
      </button>
      {error && (
        <p id="by-error" className="w-full text-sm font-medium text-error">
          {error}
        </p>
      )}
    </Form>
  );
}

/** The prices of listings beside what they become. @param formKey idempotency key */
export function PricesForm({
  rows,
  confirmed,
  back,
  account,
  formKey,
}: {
  rows: SerializeFrom<PriceRow>[];
  confirmed: string[];
  back: string;
  account: string;
  formKey: string;
}) {
  const asked = rows.flatMap(({ doubt }) => doubt?.about ?? []);
  return (
    <Form method="post" action="/manage/mysells/prices" autoComplete="off">
      <input type="hidden" name="back" value={back} />
      <input type="hidden" name="account" value={account} />
      <input type="hidden" name="formKey" value={formKey} />
      <ConfirmedValues asked={[...confirmed, ...asked]} />
      <Table
        caption="Prices"
        columns={[
          { label: "Device", longWords: true, rowHeader: true, onCard: "cell" },
          "Storage",
          { label: "Price", numeric: true },
          { label: "New price", numeric: true },
        ]}
        firstNumber={1}
        rows={rows.map((row) => ({
          key: row.id,
          cells: [
            <div key="device">
              {deviceName(row)}
              {row.ownNumber && <p className="text-sm text-quiet">{row.ownNumber}</p>}
            </div>,
            <DeviceStorage key="storage" ram={row.ram} rom={row.rom} />,
            specifiedPriceLabel(row.sellingCents),
            row.refusal ? row.error : <PriceInput key="new" row={row} />,
          ],
        }))}
        empty={null}
      />
      <SubmitBar>Save prices</SubmitBar>
    </Form>
  );
}

function PriceInput({ row }: { row: SerializeFrom<PriceRow> }) {
  const { id, typed, error, doubt } = row;
  const text = error ?? doubt?.question;
  return (
    <>
      <input type="hidden" name={shownField(id)} value={row.sellingCents} />
      <PriceField
        id={id}
        name={deviceName(row)}
        value={typed}
        errorId={text ? `${priceField(id)}-error` : null}
      />
      {text && (
        <p
          id={`${priceField(id)}-error`}
          className="mt-1 flex justify-end gap-1.5 text-left text-sm font-medium text-error"
        >
          <AlertIcon className="mt-0.5 size-4 shrink-0" />
          {text}
        </p>
      )}
    </>
  );
}

/** The price of a listing, to be typed. @param form the id of its form, if it stands outside */
export function PriceField({
  id,
  name,
  value,
  form,
  errorId,
}: {
  id: string;
  name: string;
  value: string;
  form?: string;
  errorId?: string | null;
}) {
  return (
    <input
      // A price that has been saved takes the place of what was typed.
      key={value}
      id={priceField(id)}
      name={priceField(id)}
      form={form}
      aria-label={`New price of ${name}`}
      inputMode="decimal"
      defaultValue={value}
      maxLength={maxPriceLength}
      autoComplete="off"
      className={`input w-24 input-sm tabular-nums ${errorId ? "input-error" : ""}`}
      {...(errorId && { "aria-invalid": true, "aria-describedby": errorId })}
    />
  );
}
