import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { pagePath } from "#app/features/pages/page-slugs.ts";
import { listPublishedPages } from "#app/features/pages/pages.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { dayLabel } from "#app/time.ts";
import { Accordion } from "#app/ui/accordion.tsx";
import { Link } from "#app/ui/link.tsx";

export const meta: MetaFunction = () =>
  pageTitle(
    "Blogs",
    "Answers to four questions about web development: React state, prototypes, unit tests, and React, Angular or Vue.",
  );

export const handle: RouteHandle = {
  access: "anyone",
  cached: {},
  canonical: () => ({ address: "/blogs", kind: "website" }),
};

export async function loader({ context }: LoaderFunctionArgs) {
  // Public.
  const pages = await listPublishedPages(context.db);
  const newest = pages
    .filter(({ kind }) => kind === "post")
    .sort((one, other) => (one.id < other.id ? 1 : -1));
  return { written: newest.map(({ slug, title, createdAt }) => ({ slug, title, createdAt })) };
}

export default function Blogs() {
  const { written } = useLoaderData<typeof loader>();
  return (
    <div className="page-width grid gap-8 pt-10 sm:pt-16 lg:grid-cols-[5fr_8fr] lg:gap-16">
      <div className="self-start lg:sticky lg:top-below-bars">
        <h1 className="text-5xl font-semibold sm:text-7xl">Blogs</h1>
        <p className="mt-4 max-w-xs text-lg text-quiet sm:max-w-md">
          Web developers built this shop. Here they answer the four questions they hear most.
        </p>
        <div className="mt-8 hidden border-b-4 border-base-content lg:block">
          <img
            src="/devices/samsung-galaxy-tab-s8.svg"
            alt=""
            width="400"
            height="360"
            className="-mb-[3.25%] h-auto w-full"
          />
        </div>
      </div>
      <div>
        <Accordion name="blogs" headings="h2" items={posts} />
        {written.length > 0 && (
          <section aria-labelledby="written" className="mt-12">
            <h2 id="written" className="mb-2 text-2xl font-semibold">
              More posts
            </h2>
            <ul className="divide-y divide-base-300 border-y border-base-300 text-lg">
              {written.map(({ slug, title, createdAt }) => (
                <li key={slug} className="flex flex-wrap justify-between gap-x-6 py-3">
                  <Link to={pagePath(slug)} className="link wrap-anywhere">
                    {title}
                  </Link>
                  <time dateTime={createdAt} className="text-quiet">
                    {dayLabel(createdAt)}
                  </time>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </div>
  );
}

const prototypeSample = `const phone = {
  ring() {
    return this.name + " rings";
  },
};
const mine = Object.create(phone);
mine.name = "Pixel";
mine.ring(); // "Pixel rings"`;

const unitTestSample = `test("computes the saving", () => {
  const saved = percentOff(500, 400);
  expect(saved).toBe(20);
});`;

/** The specification's four topics. */
const posts: { title: string; body: ReactNode }[] = [
  {
    title: "What are the ways to manage state in React?",
    body: (
      <Prose>
        <p>
          State is what a component must remember between renders. Where it should live depends on who needs
          it; the nearest place is usually the right one.
        </p>
        <Points>
          <Point name="Local state">
            lives in one component, with <Code>useState</Code>: an open menu, a half-typed word. Where several
            values move together, <Code>useReducer</Code> gathers their transitions in one pure function.
          </Point>
          <Point name="Lifted state">
            is what two components must agree on. It moves up to their closest common parent and comes down as
            props, with callbacks to change it.
          </Point>
          <Point name="Context">
            provides a value to a whole subtree without passing it through every level. All its readers render
            again when it changes, so it suits a theme better than a keystroke.
          </Point>
          <Point name="External stores,">
            such as Redux or Zustand, live outside the tree; each component subscribes to the part it uses.
          </Point>
          <Point name="The URL">
            is the place for filters, page numbers and open dialogs: they survive a reload and can be shared.
          </Point>
          <Point name="Server state">
            is a copy of data owned elsewhere. Route loaders or TanStack Query keep it fresh with less trouble
            than effects written by hand.
          </Point>
        </Points>
        <p>What can be computed from props or other state need not be stored at all.</p>
      </Prose>
    ),
  },
  {
    title: "How does prototypal inheritance work in JavaScript?",
    body: (
      <Prose>
        <p>
          Every object has an internal link, called <Code>[[Prototype]]</Code> in the language standard, to
          another object or to <Code>null</Code>. Reading a property starts at the object itself. If the name
          is not there, the search follows the link, and the next one, until the name is found, or the chain
          ends and the result is <Code>undefined</Code>.
        </p>
        <p>
          Assigning normally creates a property on the object itself. It then shadows the inherited one of the
          same name, which stays as it was. Only a setter or a read-only property on the chain changes that.
        </p>
        <Sample>{prototypeSample}</Sample>
        <p>
          <Code>Object.create</Code> makes an object whose prototype is the one given. The method is found on{" "}
          <Code>phone</Code>, yet <Code>this</Code> is <Code>mine</Code>, on which it was called: behavior is
          shared, not copied.
        </p>
        <p>
          <Code>class</Code> is mostly syntax over the same links. Its methods live once, on the{" "}
          <Code>prototype</Code> object of the constructor, to which each instance made with <Code>new</Code>{" "}
          is linked. <Code>extends</Code> links one such object to another, and the constructors too, so that
          static methods are inherited as well.
        </p>
      </Prose>
    ),
  },
  {
    title: "What is a unit test, and why write one?",
    body: (
      <Prose>
        <p>
          A unit test runs a small piece of a program by itself, often a single function. It sets up an input,
          runs the code and compares the result with what was expected.
        </p>
        <Sample>{unitTestSample}</Sample>
        <Points>
          <Point name="It is quick,">
            so it runs on every change. A mistake shows up minutes after it was made, close to the line that
            caused it.
          </Point>
          <Point name="It makes change safe.">
            The behavior is pinned down, so the code behind it can be rewritten with confidence.
          </Point>
          <Point name="It explains.">
            Cases such as the empty list and the negative number are examples that cannot go out of date
            unnoticed.
          </Point>
          <Point name="It gives feedback.">Code that is hard to test often does too much.</Point>
        </Points>
        <p>
          A good one gives the same result every time, does not depend on other tests, and looks at behavior
          rather than at how it is achieved. It cannot show that the parts fit together: that takes
          integration and end-to-end tests, with a real database and a real browser. Nor is full coverage a
          proof. It says that each line was run, not that each line is right.
        </p>
      </Prose>
    ),
  },
  {
    title: "React, Angular or Vue: how do they compare?",
    body: (
      <Prose>
        <p>
          All three build a page from components and keep it in step with its data. They differ in how much
          they decide for you.
        </p>
        <Points>
          <Point name="React">
            is a library for rendering, with markup written as JSX inside JavaScript. Routing, forms and data
            come from other packages or from a framework on top, such as React Router or Next.js. It has the
            widest choice of libraries, and leaves you the most choices to make.
          </Point>
          <Point name="Angular">
            is a whole framework: router, forms, HTTP client, dependency injection and command line come
            together, in TypeScript with HTML templates. Signals let it update only what changed. There is
            more to learn first; in return, large teams share one way of working.
          </Point>
          <Point name="Vue">
            stands between them: HTML-like templates in single-file components, reactivity that tracks its own
            dependencies, and an official router and store to add when needed. It is easy to start with, and
            its ecosystem is smaller than React’s.
          </Point>
        </Points>
        <p>
          For most products each of them is fast enough. What the team knows, which libraries the job needs
          and whom you can hire matter more than a benchmark. If in doubt, build the same small screen in two
          of them.
        </p>
      </Prose>
    ),
  },
];

function Prose({ children }: { children: ReactNode }) {
  return <div className="grid gap-4 text-pretty">{children}</div>;
}

function Points({ children }: { children: ReactNode }) {
  return <ul className="grid list-disc gap-2 pl-5 marker:text-quiet">{children}</ul>;
}

/** @param name start of the sentence, in bold */
function Point({ name, children }: { name: string; children: ReactNode }) {
  return (
    <li>
      <strong className="font-semibold">{name}</strong> {children}
    </li>
  );
}

function Code({ children }: { children: string }) {
  return <code className="rounded-sm bg-base-200 px-1 py-0.5 text-[0.875em]">{children}</code>;
}

function Sample({ children }: { children: string }) {
  return (
    <pre className="rounded-box bg-base-200 p-4 text-sm leading-relaxed whitespace-pre-wrap sm:p-6 sm:text-base">
      <code>{children}</code>
    </pre>
  );
}
