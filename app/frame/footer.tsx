import { brand } from "#app/brand.ts";
import { pagePath } from "#app/features/pages/page-slugs.ts";
import { PeopleIcon, ShortMessageIcon, VideoIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";

const { x, youtube, facebook } = brand.socialNetworks;

const networks = [
  { label: "X", href: x, Icon: ShortMessageIcon },
  { label: "YouTube", href: youtube, Icon: VideoIcon },
  { label: "Facebook", href: facebook, Icon: PeopleIcon },
].filter(({ href }) => href);

const footerLink = "link link-hover inline-flex min-h-11 items-center";

/** @param pages that administrators want here */
export function SiteFooter({ pages }: { pages: { slug: string; title: string }[] }) {
  return (
    <footer className="mt-16 border-t border-base-300 bg-base-200">
      <div className="page-width flex flex-col items-center gap-6 py-10 text-center">
        <nav aria-label="Footer" className="flex flex-wrap justify-center gap-x-8">
          <Link to="/About" className={footerLink}>
            About us
          </Link>
          <a href="/#contact" className={footerLink}>
            Contact
          </a>
          <Link to="/report" className={footerLink}>
            Report
          </Link>
          {pages.map(({ slug, title }) => (
            <Link key={slug} to={pagePath(slug)} className={footerLink}>
              {title}
            </Link>
          ))}
        </nav>
        <ul className="flex gap-2">
          {networks.map(({ label, href, Icon }) => (
            <li key={href}>
              <a href={href} rel="noreferrer" className="btn btn-square btn-ghost" aria-label={label}>
                <Icon className="size-6" />
              </a>
            </li>
          ))}
        </ul>
        <p className="text-quiet">{`Copyright 2022 - All right reserved by ${brand.company}`}</p>
      </div>
    </footer>
  );
}
