import { type ReactNode, useId } from "react";

export function Section({
  title,
  intro,
  className = "",
  children,
}: {
  title: string;
  intro: ReactNode;
  className?: string;
  children?: ReactNode;
}) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={`grid gap-x-10 gap-y-5 border-t border-base-300 py-8 xl:grid-cols-[15rem_minmax(0,1fr)] ${className}`}
    >
      <div className="max-w-prose">
        <h2 id={id} className="text-xl font-semibold">
          {title}
        </h2>
        <div className="mt-2 text-sm text-quiet">{intro}</div>
      </div>
      <div className="min-w-0 max-w-lg">{children}</div>
    </section>
  );
}
