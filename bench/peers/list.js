// L1: the same statements as our list, and the same markup put together as text.

const verified = `<span class="inline-flex items-center gap-1 text-sm font-medium text-success"><svg class="size-4" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M12 3 5 5.8v5.4c0 4.3 2.9 7.8 7 9.8 4.1-2 7-5.5 7-9.8V5.8z"></path><path d="m9 12 2.2 2.2L15.2 10"></path></svg>Verified seller</span>`;

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const exact = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** @param {number} cents */
const price = (cents) => `$${(cents % 100 === 0 ? whole : exact).format(cents / 100)}`;

/** @type {Record<string, string>} */
const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

/** @param {unknown} text */
const safe = (text) => String(text).replace(/[&<>"']/g, (character) => entities[character] ?? "");

/**
 * @param {Record<string, any>} phone
 * @param {number} place
 */
function card(phone, place) {
  const title = `phone-${safe(phone.id)}`;
  const saving = Math.min(99, Math.round((1 - phone.selling_cents / phone.market_cents) * 100));
  const link = `/products/${safe(phone.id)}`;
  const page = `/phones/${safe(phone.id)}`;
  return `<li class="flex min-w-0"><article aria-labelledby="${title}" class="flex w-full min-w-0 flex-col overflow-hidden rounded-box border border-base-300 bg-base-100 sm:flex-row lg:flex-col"><div class="relative flex items-center justify-center bg-base-200 p-4 sm:w-[44%] sm:shrink-0 lg:w-full"><a tabindex="-1" aria-hidden="true" class="block w-full" href="${page}"><img src="${safe(phone.image)}" alt="" width="400" height="360" loading="${place < 2 ? "eager" : "lazy"}"${place === 0 ? ' fetchpriority="high"' : ""} decoding="async" class="object-contain ${phone.device_type === "Tablet" ? "[--drawing:url(/devices/tablet.svg)]" : ""} w-full max-h-56 sm:max-h-64"/></a><div class="pointer-events-none absolute top-3 left-3">${phone.status === "reserved" ? '<span class="badge border-transparent bg-neutral font-medium text-neutral-content">Reserved</span>' : ""}</div></div><div class="flex min-w-0 flex-1 flex-col gap-4 p-5"><div><h2 id="${title}" class="text-xl font-semibold wrap-anywhere"><a class="underline-offset-4 hover:underline" href="${page}"><span>${safe(phone.brand_name)}</span> ${safe(phone.model)}</a></h2><div class="mt-1 flex flex-wrap gap-x-4 text-sm empty:hidden">${phone.condition ? `<span class="font-medium"><span>${safe(phone.condition)}</span> condition</span>` : ""}${phone.verified === "yes" ? verified : ""}</div></div><dl class="flex flex-wrap gap-x-6 gap-y-1"><div class="flex min-w-0 gap-2"><dt class="text-quiet">RAM</dt><dd class="min-w-0 font-medium wrap-anywhere">${safe(phone.ram)}</dd></div><div class="flex min-w-0 gap-2"><dt class="text-quiet">ROM</dt><dd class="min-w-0 font-medium wrap-anywhere">${safe(phone.rom)}</dd></div></dl><div class="mt-auto"><p class="flex flex-wrap items-baseline gap-x-3 gap-y-1 tabular-nums"><span class="font-display font-semibold text-3xl"><span class="sr-only">Selling price </span>${price(phone.selling_cents)}</span><s class="text-quiet"><span class="sr-only">Market price </span>${price(phone.market_cents)}</s>${saving > 0 ? `<span class="rounded-selector bg-accent px-2 py-0.5 text-sm font-semibold text-accent-content">Save ${saving}%</span>` : ""}</p></div><div class="flex flex-wrap gap-2"><a class="btn btn-outline min-w-24 flex-1" aria-describedby="${title}" href="${link}">Details</a>${phone.status === "available" ? `<a class="btn btn-primary min-w-24 flex-1" aria-describedby="${title}" href="${link}/book">Buy Now</a>` : ""}</div></div></article></li>`;
}

/** @typedef {{ kind: string, value: string, count: number }} Choice */

/** @param {number} count */
const phones = (count) => `${whole.format(count)} ${count === 1 ? "phone" : "phones"}`;

/** @param {string} name */
const box =
  (name, value = "", label = "") =>
  /** @param {Choice} choice */
  (choice) =>
    `<label class="flex min-h-9 cursor-pointer items-center gap-3 hover:text-primary"><input type="checkbox" name="${name}" aria-label="${safe(label || choice.value)}, ${phones(choice.count)}" class="size-5 shrink-0 accent-primary" value="${safe(value || choice.value)}"/><span class="min-w-0 flex-1 wrap-anywhere">${safe(label || choice.value)}</span><span class="text-sm text-quiet tabular-nums">${whole.format(choice.count)}</span></label>`;

/**
 * @param {string} name
 * @param {Choice[]} choices
 */
function group(name, choices) {
  const boxes = choices.map(box(name));
  const rest = boxes.splice(8);
  const folded = `<details class="group"><summary class="flex min-h-9 items-center gap-2 text-sm font-medium text-primary"><svg class="size-5 transition-transform group-open:rotate-180" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="m6 9.5 6 6 6-6"></path></svg>Show all ${choices.length}</summary>${rest.join("")}</details>`;
  return boxes.join("") + (rest.length > 0 ? folded : "");
}

/** @param {Choice} choice */
const size = ({ value }) => Number.parseFloat(value) * (value.endsWith("TB") ? 1024 : 1);

/**
 * Statements and the pieces of our page between which is put what they bring.
 *
 * @type {ExportedHandler<{ DB: D1Database, STATEMENTS: { sql: string, params: unknown[] }[], PIECES: string[] }>}
 */
export default {
  async fetch(_request, { DB, STATEMENTS, PIECES }) {
    /** @type {D1Result<any>[]} */
    const [page, counted, values] = await DB.batch(
      STATEMENTS.map(({ sql, params }) => DB.prepare(sql).bind(...params)),
    );
    const all = /** @type {Choice[]} */ (values?.results);
    /** @param {string} kind */
    const of = (kind) => all.filter((choice) => choice.kind === kind);
    const brands = of("brand").sort(
      (one, other) => other.count - one.count || one.value.localeCompare(other.value, "en"),
    );
    const [storage, ram] = ["storage", "ram"].map((kind) =>
      of(kind).sort((one, other) => size(one) - size(other)),
    );
    const conditions = ["Excellent", "Good", "Fair"].flatMap((value) =>
      of("condition").filter((choice) => choice.value === value),
    );
    const found = phones(counted?.results[0].count);
    const filling = [
      group("brand", brands),
      group("rom", storage ?? []),
      group("ram", ram ?? []),
      group("condition", conditions),
      of("verified")
        .map(box("verified", "yes", "Verified sellers only"))
        .join("") +
        of("available")
          .map(box("available", "yes", "Available only"))
          .join(""),
      found,
      found,
      page?.results.slice(0, 24).map(card).join(""),
      "",
    ];
    return new Response(PIECES.map((piece, index) => piece + filling[index]).join(""), {
      headers: { "Content-Type": "text/html; charset=utf-8" },
    });
  },
};
