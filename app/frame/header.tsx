import { Form, useLocation, useMatches } from "@remix-run/react";
import { type ReactNode, useEffect, useState } from "react";
import { brand } from "#app/brand.ts";
import { categories } from "#app/features/catalog/category.rules.ts";
import { heroFieldId, SearchField, searchFormId } from "#app/features/catalog/search-field.tsx";
import { forgetSeenListings } from "#app/features/catalog/seen-listings.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { AccountIcon, ChevronDownIcon, CloseIcon, MenuIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { NavLink } from "#app/ui/nav-link.tsx";
import { handleOf } from "./route-handle.ts";
import { UnreadBadge, useUnread } from "./unread.tsx";

/** On narrow screens the dashboard's menu is in a drawer, which the header opens. */
export const dashboardDrawerId = "manage-menu";

/**
 * The navigation bar; on narrow screens a menu, which the dashboard has in its drawer. All work without
 * JavaScript.
 */
export function SiteHeader({ signedIn }: { signedIn: boolean }) {
  const isDashboard = useMatches().some(({ id }) => id === "manage");
  return (
    <header className="sticky top-0 z-40 border-b border-base-300 bg-base-100 low:static">
      <div className="page-width flex h-16 items-center justify-between gap-2 sm:gap-4">
        <Wordmark />
        <Search />
        <nav aria-label="Main" className="max-lg:hidden">
          <ul className="flex items-center gap-1">
            <Entries signedIn={signedIn} products={<ProductsMenu />} />
          </ul>
        </nav>
        <Link to={signedIn ? "/manage" : "/login"} className="btn relative btn-square btn-ghost lg:hidden">
          <span className="sr-only">{signedIn ? "Manage" : "Log in"}</span>
          <AccountIcon className="size-6" />
          <AllUnread className="absolute -top-1 left-8" />
        </Link>
        {isDashboard ? (
          <button
            type="button"
            {...{ popovertarget: dashboardDrawerId }}
            className="btn btn-square btn-ghost lg:hidden"
            aria-label="Menu"
          >
            <MenuIcon className="size-6" />
          </button>
        ) : (
          <Menu className="group lg:hidden">
            <summary className="btn btn-square btn-ghost" aria-label="Menu">
              <MenuIcon className="size-6 group-open:hidden" />
              <CloseIcon className="hidden size-6 group-open:block" />
            </summary>
            <nav
              aria-label="Menu"
              className="absolute inset-x-0 top-16 max-h-[calc(100dvh-4rem)] overflow-auto border-b border-base-300 bg-base-100 p-4"
            >
              <NarrowEntries signedIn={signedIn} />
            </nav>
          </Menu>
        )}
      </div>
    </header>
  );
}

/** A dropdown. With JavaScript it closes on Escape, on navigation and when it loses the focus. */
function Menu({ className, children }: { className: string; children: ReactNode }) {
  const { key } = useLocation();
  return (
    <details
      key={key}
      className={className}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== "Escape" || !currentTarget.open) return;
        currentTarget.open = false;
        currentTarget.querySelector("summary")?.focus();
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.open = false;
      }}
    >
      {children}
    </details>
  );
}

function Wordmark() {
  return (
    <Link
      to="/"
      className="flex min-h-11 items-center gap-2 font-display text-2xl font-semibold tracking-tight"
      aria-label={`${brand.name}, home`}
    >
      <img src="/icon.svg" alt="" width="32" height="32" className="size-8" />
      <span className="max-sm:hidden">{brand.name}</span>
    </Link>
  );
}

/** On a list the field belongs to the list's form, which keeps the filters; elsewhere it searches all products. */
function Search() {
  const words = useMatches()
    .map((match) => handleOf(match).searchWords?.(match.data) ?? null)
    .find((words) => words !== null);
  return (
    <search
      aria-label="Site"
      className={`min-w-0 max-w-md flex-1 lg:relative ${useIsHeroInView() ? "max-lg:invisible noscript:visible" : ""}`}
    >
      <Form action="/products">
        <SearchField form={words === undefined ? undefined : searchFormId} words={words ?? ""} />
      </Form>
    </search>
  );
}

/** Whether the search field of the home page is in view, which on a handset makes that of the header a second one. */
function useIsHeroInView(): boolean {
  const isHome = useLocation().pathname === "/";
  const [isInView, setIsInView] = useState(isHome);
  useEffect(() => {
    const field = isHome && document.getElementById(heroFieldId);
    if (!field) return setIsInView(false);
    const observer = new IntersectionObserver(([entry]) => setIsInView(entry?.isIntersecting ?? true));
    observer.observe(field);
    return () => observer.disconnect();
  }, [isHome]);
  return isInView;
}

function Entries({ signedIn, products }: { signedIn: boolean; products: ReactNode }) {
  return (
    <>
      <li>
        <Entry to="/">Home</Entry>
      </li>
      <li>{products}</li>
      <li>
        <Entry to="/blogs">Blogs</Entry>
      </li>
      {signedIn ? (
        <>
          <li className="relative">
            <Entry to="/manage">
              Manage
              {/* Out of the flow: nothing moves when it arrives. */}
              <AllUnread className="ml-2 lg:absolute lg:-top-1 lg:left-full lg:-ml-3" />
            </Entry>
          </li>
          <li>
            <Form method="post" action="/logout" onSubmit={forgetSeenListings}>
              <SubmitButton
                action="/logout"
                className="btn-ghost h-auto w-full justify-start px-3 py-2 text-base font-medium"
              >
                Log Out
              </SubmitButton>
            </Form>
          </li>
        </>
      ) : (
        <li>
          <Entry to="/login">Log in</Entry>
        </li>
      )}
    </>
  );
}

/** The site's menu on narrow screens. */
export function NarrowEntries({ signedIn }: { signedIn: boolean }) {
  return (
    <ul className="grid gap-1">
      <Entries signedIn={signedIn} products={<ProductsGroup />} />
    </ul>
  );
}

function AllUnread({ className }: { className: string }) {
  const { notifications, messages } = useUnread();
  // A new message is a notification, too: the sum would count it twice.
  return <UnreadBadge count={Math.max(notifications, messages)} className={className} />;
}

function ProductsMenu() {
  return (
    <Menu className="group/products relative">
      <summary className="menu-link flex items-center gap-1">
        Products
        <ChevronDownIcon className="size-4 group-open/products:rotate-180" />
      </summary>
      <ul className="absolute top-full z-10 mt-2 grid w-48 gap-1 rounded-box border border-base-300 bg-base-100 p-2">
        <ProductEntries />
      </ul>
    </Menu>
  );
}

/** In the narrow menu the lists are in sight at once. */
function ProductsGroup() {
  return (
    <>
      <p className="px-3 py-2 font-medium text-quiet">Products</p>
      <ul className="ml-3 grid gap-1 border-l border-base-300 pl-3">
        <ProductEntries />
      </ul>
    </>
  );
}

function ProductEntries() {
  return (
    <>
      {dropdown.map(({ path, name }) => (
        <li key={path}>
          <Entry to={path}>{name}</Entry>
        </li>
      ))}
    </>
  );
}

/** The specification's order: all, IOS, Android, Tablets. */
const dropdown = ["/products", "/ios", "/android", "/tablet"].flatMap((path) =>
  categories.filter((category) => category.path === path),
);

function Entry({ to, children }: { to: string; children: ReactNode }) {
  return (
    <NavLink to={to} end={to === "/"} className="menu-link">
      {children}
    </NavLink>
  );
}
