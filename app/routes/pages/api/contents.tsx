import type { reference } from "./reference.server.ts";

export function Contents({ tags, records }: ReturnType<typeof reference>) {
  const sections = [
    ...tags.map(({ name, operations }) => ({
      name,
      entries: operations.map(({ id, summary }) => ({ id, text: summary })),
    })),
    { name: "Records", entries: records.map(({ name }) => ({ id: name, text: name })) },
  ];
  return (
    <nav
      aria-label="On this page"
      className="mt-6 text-sm lg:sticky lg:top-below-bars lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:mt-0 lg:max-h-[calc(100dvh-8rem)] lg:self-start lg:overflow-y-auto lg:pr-4"
    >
      <ul className="flex flex-wrap gap-x-6 gap-y-1 lg:grid lg:gap-5">
        {sections.map(({ name, entries }) => (
          <li key={name}>
            <a href={`#${sectionId(name)}`} className="inline-block py-1 font-semibold hover:underline">
              {name}
            </a>
            <ul className="max-lg:hidden">
              {entries.map(({ id, text }) => (
                <li key={id}>
                  <a href={`#${id}`} className="inline-block py-1 hover:underline">
                    {text}
                  </a>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function sectionId(name: string): string {
  return `about-${name.toLowerCase().replaceAll(" ", "-")}`;
}
