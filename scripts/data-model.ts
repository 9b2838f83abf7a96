import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { is } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "#app/db/schema.ts";

const file = "docs/data-model.md";
const start = "<!-- data-model:start -->";
const end = "<!-- data-model:end -->";

/** Columns that refer to another table, most of them without a foreign key. */
const references: Record<string, string> = {
  actor_id: "users",
  author_id: "users",
  blocked_id: "users",
  blocker_id: "users",
  buyer_id: "users",
  old_variant_id: "device_variants",
  conversation_id: "conversations",
  decision_id: "decisions",
  hidden_by_id: "decisions",
  last_message_id: "messages",
  order_id: "bookings",
  other_id: "users",
  owner_id: "users",
  phone_id: "phones",
  previous_id: "decisions",
  removal_id: "removals",
  search_id: "saved_searches",
  reporter_id: "users",
  seller_id: "users",
  sender_id: "users",
  subject_id: "users",
  suspension_id: "decisions",
  user_id: "users",
  variant_id: "device_variants",
};

/** Replaces the part between the markers: a Mermaid diagram of keys and references, and a table of all columns. */
export function withDataModel(document: string): string {
  const [before, after] = [document.split(start)[0], document.split(end)[1]];
  if (after === undefined) throw new Error(`${file} lacks the markers ${start} and ${end}.`);
  const tables = Object.values(schema)
    .filter((value) => is(value, SQLiteTable))
    .map((table) => getTableConfig(table as SQLiteTable))
    .sort((one, other) => one.name.localeCompare(other.name));
  const relations: string[] = [];
  const entities: string[] = [];
  const rows: string[] = [];
  for (const { name, columns, foreignKeys, primaryKeys } of tables) {
    const isForeignKey = (column: SQLiteColumn) =>
      foreignKeys.some((key) => key.reference().columns.includes(column));
    const isPrimaryKey = (column: SQLiteColumn) =>
      column.primary || primaryKeys.some((key) => key.columns.includes(column));
    entities.push(`  ${name} {`);
    for (const column of columns) {
      const target = references[column.name];
      if (target || isPrimaryKey(column)) {
        const key = isPrimaryKey(column) ? " PK" : isForeignKey(column) ? " FK" : "";
        entities.push(`    ${column.getSQLType()} ${column.name}${key}`);
      }
      const cardinality = `${column.notNull ? "||" : "|o"}${isForeignKey(column) ? "--" : ".."}o{`;
      if (target) relations.push(`  ${target} ${cardinality} ${name} : ${column.name}`);
    }
    entities.push("  }");
    rows.push(`| \`${name}\` | ${columns.map((column) => column.name).join(", ")} |`);
  }
  const diagram = ["```mermaid", "erDiagram", ...relations, ...entities, "```"].join("\n");
  const listing = ["| Table | Columns |", "| --- | --- |", ...rows].join("\n");
  return `${before}${start}\n\n${diagram}\n\n${listing}\n\n${end}${after}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await writeFile(file, withDataModel(await readFile(file, "utf8")));
