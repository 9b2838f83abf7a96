import type { FieldReference } from "./reference.server.ts";

export function FieldList({ title, fields }: { title?: string; fields: FieldReference[] }) {
  return (
    <>
      {title && <h4 className="mt-5 font-semibold">{title}</h4>}
      <ul className="mt-2 divide-y divide-base-300 rounded-box border border-base-300">
        {fields.map(({ name, type, required, description }) => (
          <li key={name} className="grid gap-x-4 gap-y-1 px-4 py-3 text-sm sm:grid-cols-[11rem_1fr]">
            <span className="font-mono wrap-anywhere">{name}</span>
            <span>
              {type}
              {!required && <span className="text-quiet"> · optional</span>}
              {description && <span className="mt-0.5 block text-quiet">{description}</span>}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
