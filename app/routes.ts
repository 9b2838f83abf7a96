import { prefix, type RouteConfig, route } from "@remix-run/route-config";
import { apiRoot } from "./server/http/paths.ts";

/** The four product lists share their modules, which read the category from the path. */
const category = (path: string) =>
  route(path, "routes/catalog/list.tsx", { id: path }, [
    route(":phoneId", "routes/catalog/details.tsx", { id: `${path}-details` }),
    route(":phoneId/book", "routes/catalog/book.tsx", { id: `${path}-book` }),
  ]);

/** One module has the operations of all paths of a resource. */
const resource = (file: string, paths: string[]) =>
  paths.map((path) => route(path, file, { id: `api/${path}` }));

export default [
  route("/", "routes/pages/home.tsx", { id: "home", index: true }),
  route("login", "routes/account/login.tsx", { id: "login" }),
  route("blogs", "routes/pages/blogs.tsx", { id: "blogs" }),
  category("products"),
  category("android"),
  category("ios"),
  category("tablet"),
  route("phones/:phoneId", "routes/catalog/listing.tsx", { id: "listing" }, [
    route("book", "routes/catalog/book.tsx", { id: "listing-book" }),
    route("offer", "routes/catalog/offer.tsx", { id: "listing-offer" }),
    route("photos", "routes/catalog/listing-photos.tsx", { id: "listing-photos" }),
  ]),
  route("compare", "routes/catalog/compare.tsx", { id: "compare" }),
  // `/sellers` without an id is a path of the REST API.
  route("sellers/:sellerId", "routes/catalog/seller.tsx", { id: "seller" }),
  route("sellers/:sellerId/reviews", "routes/catalog/seller-reviews.tsx", { id: "seller-reviews" }),
  route("models/:slug", "routes/catalog/model.tsx", { id: "model" }),
  route("signup", "routes/account/sign-up.tsx", { id: "signup" }),
  route("sellersignup", "routes/account/sign-up.tsx", { id: "sellersignup" }),
  route("addphone", "routes/account/add-phone.tsx", { id: "addphone" }),
  route("about", "routes/pages/about.tsx", { id: "about" }),
  route("pages/:slug", "routes/pages/page.tsx", { id: "page" }),
  route("report", "routes/pages/report.tsx", { id: "report" }),
  route("ticket", "routes/pages/ticket.tsx", { id: "ticket" }),
  route("report/:kind/:targetId", "routes/pages/report-content.tsx", { id: "report-content" }),

  route("manage", "routes/dashboard/layout.tsx", { id: "manage" }, [
    // In the order of the menu.
    route("", "routes/dashboard/my-orders.tsx", { id: "manage-orders", index: true }),
    route("orders/:orderId", "routes/dashboard/order.tsx", { id: "manage-order" }),
    route("orders/:orderId/problem", "routes/dashboard/order-problem.tsx", { id: "manage-order-problem" }),
    route("orders/:orderId/reviews", "routes/dashboard/order-reviews.tsx", { id: "manage-order-reviews" }),
    route("mysells", "routes/dashboard/my-sellings.tsx", { id: "manage-sellings" }),
    route("mysells/slips", "routes/dashboard/slips.tsx", { id: "manage-slips" }),
    route("mysells/numbers", "routes/dashboard/my-numbers.tsx", { id: "manage-my-numbers" }),
    route("mysells/import", "routes/dashboard/import-listings.tsx", { id: "manage-import" }),
    route("mysells/prices", "routes/dashboard/prices.tsx", { id: "manage-prices" }),
    route("mysells/:phoneId/edit", "routes/dashboard/edit-listing.tsx", { id: "manage-edit" }),
    route("mysells/:phoneId/photos", "routes/dashboard/photos.tsx", { id: "manage-photos" }),
    route("payouts", "routes/dashboard/payouts.tsx", { id: "manage-payouts" }),
    route("messages", "routes/dashboard/messages.tsx", { id: "manage-messages" }),
    route("messages/new", "routes/dashboard/new-message.tsx", { id: "manage-new-message" }),
    route("messages/:conversationId", "routes/dashboard/conversation.tsx", { id: "manage-conversation" }),
    route("offers", "routes/dashboard/offers.tsx", { id: "manage-offers" }),
    route("notifications", "routes/dashboard/notifications.tsx", { id: "manage-notifications" }),
    route("notifications/:notificationId", "routes/dashboard/notification.tsx", {
      id: "manage-notification",
    }),
    route("saved", "routes/dashboard/saved.tsx", { id: "manage-saved" }),
    route("searches", "routes/dashboard/searches.tsx", { id: "manage-searches" }),
    route("searches/new", "routes/dashboard/save-search.tsx", { id: "manage-save-search" }),
    route("searches/:searchId", "routes/dashboard/saved-search.tsx", { id: "manage-saved-search" }),
    route("searches/:searchId/edit", "routes/dashboard/edit-search.tsx", { id: "manage-edit-search" }),
    route("account", "routes/dashboard/my-account.tsx", { id: "manage-account" }),
    route("account/tokens", "routes/dashboard/tokens.tsx", { id: "manage-account-tokens" }),
    route("work", "routes/dashboard/work.tsx", { id: "manage-work" }),
    route("users", "routes/dashboard/users.tsx", { id: "manage-users" }),
    route("users/:userId", "routes/dashboard/user.tsx", { id: "manage-user" }),
    route("sellers", "routes/dashboard/sellers.tsx", { id: "manage-sellers" }),
    route("reports", "routes/dashboard/support-tickets.tsx", { id: "manage-tickets" }),
    route("reports/:ticketId", "routes/dashboard/support-ticket.tsx", { id: "manage-ticket" }),
    route("orders", "routes/dashboard/all-orders.tsx", { id: "manage-all-orders" }),
    route("payments", "routes/dashboard/payments.tsx", { id: "manage-payments" }),
    route("listings", "routes/dashboard/all-listings.tsx", { id: "manage-all-listings" }),
    route("moderation", "routes/dashboard/moderation.tsx", { id: "manage-moderation" }),
    route("moderation/:kind/:targetId", "routes/dashboard/moderation-case.tsx", {
      id: "manage-moderation-case",
    }),
    route("announcements", "routes/dashboard/announcements.tsx", { id: "manage-announcements" }),
    route("pages", "routes/dashboard/pages.tsx", { id: "manage-pages" }),
    route("pages/:slug", "routes/dashboard/edit-page.tsx", { id: "manage-page" }),
    route("activity", "routes/dashboard/activity.tsx", { id: "manage-activity" }),
    route("numbers", "routes/dashboard/numbers.tsx", { id: "manage-numbers" }),
    route("system", "routes/dashboard/system.tsx", { id: "manage-system" }),
    route("search", "routes/dashboard/search.tsx", { id: "manage-search" }),
    route("selected", "routes/dashboard/selected.tsx", { id: "manage-selected" }),
    route("content-reports", "routes/dashboard/content-reports.tsx", { id: "manage-content-reports" }),
    route("problems/:problemId", "routes/dashboard/problem-case.tsx", { id: "manage-problem-case" }),
    route("decisions/:decisionId", "routes/dashboard/decision.tsx", { id: "manage-decision" }),
  ]),

  route("forgot", "routes/account/forgot.tsx", { id: "forgot" }),
  route("reset", "routes/account/reset.tsx", { id: "reset" }),
  route("verify", "routes/account/verify.tsx", { id: "verify" }),

  route("unsubscribe", "routes/account/unsubscribe.tsx", { id: "unsubscribe" }),

  route("api", "routes/pages/api.tsx", { id: "api" }),
  route("*", "routes/pages/not-found.tsx", { id: "not-found" }),

  route("robots.txt", "routes/pages/robots.ts", { id: "robots" }),
  route("sitemap.xml", "routes/pages/sitemap.ts", { id: "sitemap" }),
  route("sitemap/:part", "routes/pages/sitemap-part.ts", { id: "sitemap-part" }),
  ...["products", "android", "ios", "tablet"].map((category) =>
    route(`${category}.rss`, "routes/catalog/feed.ts", { id: `${category}-feed` }),
  ),
  route("seen", "routes/catalog/seen.ts", { id: "seen" }),
  route("search/suggestions", "routes/catalog/suggestions.ts", { id: "suggestions" }),
  route("photos/:photoId/:size", "routes/pages/photo.ts", { id: "photo" }),

  route("logout", "routes/account/logout.tsx", { id: "logout" }),
  route(".well-known/change-password", "routes/account/change-password.ts", { id: "change-password" }),
  route("login/passkey", "routes/account/log-in-by-passkey.ts", { id: "login-passkey" }),
  route("google", "routes/account/google.ts", { id: "google" }),
  route("google/callback", "routes/account/google-callback.ts", { id: "google-callback" }),
  route("addphone/models", "routes/account/model-facts.ts", { id: "addphone-models" }),
  route("addphone/fair-price", "routes/account/fair-price.ts", { id: "addphone-fair-price" }),
  route("manage/unread", "routes/dashboard/unread.ts", { id: "manage-unread" }),
  route("manage/saved/state", "routes/dashboard/saved-state.ts", { id: "manage-saved-state" }),
  ...["users", "sellers", "reports", "content-reports", "orders", "payments", "listings", "activity"].map(
    (table) => route(`manage/${table}.csv`, "routes/dashboard/table-csv.ts", { id: `manage-${table}-csv` }),
  ),
  route("manage/mysells/sold.csv", "routes/dashboard/sold-csv.ts", { id: "manage-sold-csv" }),
  route("manage/mysells/listings.csv", "routes/dashboard/listings-csv.ts", { id: "manage-my-listings-csv" }),
  route("manage/payouts.csv", "routes/dashboard/payouts-csv.ts", { id: "manage-payouts-csv" }),
  route("manage/undo", "routes/dashboard/undo.ts", { id: "manage-undo" }),
  route("manage/messages/newest", "routes/dashboard/newest-message.ts", { id: "manage-newest-message" }),
  route("manage/mysells/:phoneId/photos/upload", "routes/dashboard/photo-upload.ts", {
    id: "manage-photo-upload",
  }),
  route("manage/account/verify", "routes/dashboard/verify-address.ts", { id: "manage-account-verify" }),
  route("manage/account/data", "routes/dashboard/my-data.ts", { id: "manage-account-data" }),
  route("manage/account/passkeys", "routes/dashboard/passkeys.ts", { id: "manage-account-passkeys" }),

  // The REST API, documented at /api. The Worker adds the prefix, see `toResourceRoute`.
  ...prefix(apiRoot, [
    ...resource("routes/api/listings.ts", [
      "phoneInfoCollection",
      "phoneInfoCollection/:category",
      "phoneInfoCollection/:category/:type",
      "allPhoneInfo",
      "allPhoneInfo/prices",
      "phones/:id",
      "phones/delete/:id",
      "phones/sale/:id",
      "phones/photos/:id",
      "phones/photos/:id/:photoId",
    ]),
    ...resource("routes/api/listing-imports.ts", ["imports", "imports/:id", "imports/rows/:id"]),
    ...resource("routes/api/shop.ts", ["shop", "shop/pause", "shop/numbers", "shop/sold", "shop/listings"]),
    ...resource("routes/api/bookings.ts", [
      "bookings",
      "bookings/delete/:id",
      "bookings/steps/:id",
      "bookings/delivery/:id",
    ]),
    ...resource("routes/api/reviews.ts", [
      "bookings/reviews/:id",
      "bookings/review/:id",
      "bookings/reply/:id",
      "reviews/seller/:id",
    ]),
    ...resource("routes/api/messages.ts", [
      "messages",
      "messages/:id",
      "messages/read/:id",
      "messages/block/:id",
    ]),
    ...resource("routes/api/order-problems.ts", [
      "bookings/problem/:id",
      "problems",
      "problems/:id",
      "problems/photos/:id",
    ]),
    ...resource("routes/api/offers.ts", ["offers", "offers/:id"]),
    ...resource("routes/api/content-reports.ts", ["contentReports"]),
    ...resource("routes/api/addresses.ts", ["addresses", "addresses/:id"]),
    ...resource("routes/api/notifications.ts", ["notifications", "notifications/read"]),
    ...resource("routes/api/saved-listings.ts", ["saved", "saved/:phoneId"]),
    ...resource("routes/api/accounts.ts", [
      "users",
      "users/delete/:id",
      "users/admin/:email",
      "users/seller/:email",
      "sellers",
      "seller/verify/:id",
      "jwt",
    ]),
    ...resource("routes/api/saved-searches.ts", ["searches", "searches/:id"]),
    ...resource("routes/api/support-tickets.ts", ["report", "reports/:id"]),
    ...resource("routes/api/openapi.ts", ["openapi.json"]),
    ...resource("routes/api/api-not-found.ts", ["*"]),
  ]),

  route("payments/events", "routes/payments/events.ts", { id: "payment-events" }),

  route("healthz", "routes/pages/healthz.ts", { id: "healthz" }),
  route("readyz", "routes/pages/readyz.ts", { id: "readyz" }),
] satisfies RouteConfig;
