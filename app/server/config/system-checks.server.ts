import { logMissing } from "../logging/log.server.ts";
import type { Environment } from "./environment.server.ts";

/** What a deployment can do without. */
interface SystemCheck {
  name: string;
  /** Whether it is asked for at all; by default it is. */
  applies?(environment: Environment): boolean;
  isReady(environment: Environment): boolean;
  /** What is set up. */
  ready: string;
  /** What is missing. */
  missing: string;
  /** What users notice while it is missing. */
  meaning: string;
  document: string;
}

const checks: SystemCheck[] = [
  {
    name: "Email service",
    isReady: ({ MAIL }) => MAIL !== undefined,
    ready: "The MAIL binding is set up.",
    missing: "The MAIL binding is missing.",
    meaning: "No emails go out: no links to set a password or confirm an address, and no notifications.",
    document: "docs/deployment.md#email",
  },
  {
    name: "Sender of emails",
    isReady: ({ MAIL_FROM }) => MAIL_FROM !== undefined,
    ready: "MAIL_FROM is set.",
    missing: "MAIL_FROM isn’t set.",
    meaning: "No emails go out: no links to set a password or confirm an address, and no notifications.",
    document: "docs/deployment.md#email",
  },
  {
    name: "Email queue",
    isReady: ({ EMAIL_QUEUE }) => EMAIL_QUEUE !== undefined,
    ready: "The EMAIL_QUEUE binding is set up.",
    missing: "The EMAIL_QUEUE binding is missing.",
    meaning:
      "Emails are sent after each response. If one fails, it’s sent again with the next change or scheduled jobs, for a day.",
    document: "docs/deployment.md#email",
  },
  {
    name: "Queue of imports",
    isReady: ({ IMPORT_QUEUE }) => IMPORT_QUEUE !== undefined,
    ready: "The IMPORT_QUEUE binding is set up.",
    missing: "The IMPORT_QUEUE binding is missing.",
    meaning: "Up to 2,000 rows of an import are applied after the upload. Scheduled jobs do the rest.",
    document: "docs/deployment.md#cloudflare",
  },
  {
    name: "Public origin",
    isReady: ({ PUBLIC_ORIGIN }) => PUBLIC_ORIGIN !== undefined,
    ready: "PUBLIC_ORIGIN is set.",
    missing: "PUBLIC_ORIGIN isn’t set.",
    meaning:
      "Without it, emails from scheduled jobs wait until someone books or writes a message. After a day they’re dropped.",
    document: "docs/deployment.md#settings",
  },
  {
    name: "Google",
    isReady: ({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET }) =>
      Boolean(GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET),
    ready: "GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are set.",
    missing: "GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET aren’t both set.",
    meaning: "People can’t log in with Google.",
    document: "docs/deployment.md#sign-in-with-google",
  },
  {
    name: "Payments",
    applies: ({ STRIPE_SECRET_KEY }) => STRIPE_SECRET_KEY !== undefined,
    isReady: ({ ENVIRONMENT, STRIPE_SECRET_KEY }) =>
      ENVIRONMENT === "local" || !STRIPE_SECRET_KEY?.includes("_test_"),
    ready: "Stripe’s key and webhook secret are set.",
    missing: "STRIPE_SECRET_KEY is a test key.",
    meaning: "No money moves, though orders say that it does.",
    document: "docs/payments.md",
  },
  {
    name: "Photos",
    isReady: ({ PHOTOS, IMAGES }) => PHOTOS !== undefined && IMAGES !== undefined,
    ready: "The PHOTOS and IMAGES bindings are set up.",
    missing: "The PHOTOS or the IMAGES binding is missing.",
    meaning: "Sellers can’t add photos, and photos of listings don’t show.",
    document: "docs/deployment.md#cloudflare",
  },
  {
    name: "Storage of backups",
    isReady: ({ BACKUPS }) => BACKUPS !== undefined,
    ready: "The BACKUPS binding is set up.",
    missing: "The BACKUPS binding is missing.",
    meaning: "The scheduled jobs make no backups. If the database is deleted, so is everything.",
    document: "docs/maintenance.md#backup",
  },
];

/** What is set up and what is not, without values of settings. */
export function checkSystem(environment: Environment) {
  return checks
    .filter(({ applies }) => !applies || applies(environment))
    .map(({ name, isReady, ready, missing, meaning, document }) => {
      const isSetUp = isReady(environment);
      return { name, isReady: isSetUp, state: isSetUp ? ready : missing, meaning, document };
    });
}

const reported = new WeakSet<Environment>();

/** Logs the names of what is not set up, once in each isolate. */
export function reportMissing(environment: Environment, reference: string): void {
  if (reported.has(environment)) return;
  reported.add(environment);
  const missing = checkSystem(environment).filter(({ isReady }) => !isReady);
  if (missing.length > 0)
    logMissing(
      missing.map(({ name }) => name),
      reference,
    );
}
