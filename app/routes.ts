import { type RouteConfig, route } from "@remix-run/route-config";
import { apiPrefixes } from "./server/api/api-paths.ts";

/** The four product lists share their modules, which read the category from the path. */
const category = (path: string) =>
  route(path, "routes/catalog/list.tsx", { id: path }, [
    route(":phoneId", "routes/catalog/details.tsx", { id: `${path}-details` }),
    route(":phoneId/book", "routes/catalog/book.tsx", { id: `${path}-book` }),
  ]);

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
  ]),
  route("compare", "routes/catalog/compare.tsx", { id: "compare" }),
  // `/sellers` without an id is a path of the REST API.
  route("sellers/:sellerId", "routes/catalog/seller.tsx", { id: "seller" }),
  route("sellers/:sellerId/reviews", "routes/catalog/seller-reviews.tsx", { id: "seller-reviews" }),
  route("models/:slug", "routes/catalog/model.tsx", { id: "model" }),
  route("signup", "routes/account/buyer-sign-up.tsx", { id: "signup" }),
  route("sellersignup", "routes/account/seller-sign-up.tsx", { id: "sellersignup" }),
  route("addphone", "routes/account/add-phone.tsx", { id: "addphone" }),
  route("about", "routes/pages/about.tsx", { id: "about" }),
  route("report", "routes/pages/report.tsx", { id: "report" }),
  route("report/:kind/:targetId", "routes/pages/report-content.tsx", { id: "report-content" }),

  route("manage", "routes/dashboard/layout.tsx", { id: "manage" }, [
    route("", "routes/dashboard/my-orders.tsx", { id: "manage-orders", index: true }),
    route("orders", "routes/dashboard/all-orders.tsx", { id: "manage-all-orders" }),
    route("orders/:orderId", "routes/dashboard/order.tsx", { id: "manage-order" }),
    route("orders/:orderId/reviews", "routes/dashboard/order-reviews.tsx", { id: "manage-order-reviews" }),
    route("saved", "routes/dashboard/saved.tsx", { id: "manage-saved" }),
    route("mysells", "routes/dashboard/my-sellings.tsx", { id: "manage-sellings" }),
    route("mysells/numbers", "routes/dashboard/my-numbers.tsx", { id: "manage-my-numbers" }),
    route("mysells/:phoneId/edit", "routes/dashboard/edit-listing.tsx", { id: "manage-edit" }),
    route("mysells/:phoneId/photos", "routes/dashboard/photos.tsx", { id: "manage-photos" }),
    route("messages", "routes/dashboard/messages.tsx", { id: "manage-messages" }),
    route("messages/new", "routes/dashboard/new-message.tsx", { id: "manage-new-message" }),
    route("messages/:conversationId", "routes/dashboard/conversation.tsx", { id: "manage-conversation" }),
    route("listings", "routes/dashboard/all-listings.tsx", { id: "manage-all-listings" }),
    route("searches", "routes/dashboard/searches.tsx", { id: "manage-searches" }),
    route("searches/new", "routes/dashboard/save-search.tsx", { id: "manage-save-search" }),
    route("searches/:searchId", "routes/dashboard/saved-search.tsx", { id: "manage-saved-search" }),
    route("searches/:searchId/edit", "routes/dashboard/edit-search.tsx", { id: "manage-edit-search" }),
    route("users", "routes/dashboard/users.tsx", { id: "manage-users" }),
    route("users/:userId", "routes/dashboard/user.tsx", { id: "manage-user" }),
    route("search", "routes/dashboard/search.tsx", { id: "manage-search" }),
    route("selected", "routes/dashboard/selected.tsx", { id: "manage-selected" }),
    route("sellers", "routes/dashboard/sellers.tsx", { id: "manage-sellers" }),
    route("reports", "routes/dashboard/reports.tsx", { id: "manage-reports" }),
    route("content-reports", "routes/dashboard/content-reports.tsx", { id: "manage-content-reports" }),
    route("activity", "routes/dashboard/activity.tsx", { id: "manage-activity" }),
    route("numbers", "routes/dashboard/numbers.tsx", { id: "manage-numbers" }),
    route("system", "routes/dashboard/system.tsx", { id: "manage-system" }),
    route("moderation", "routes/dashboard/moderation.tsx", { id: "manage-moderation" }),
    route("moderation/:kind/:targetId", "routes/dashboard/moderation-case.tsx", {
      id: "manage-moderation-case",
    }),
    route("decisions/:decisionId", "routes/dashboard/decision.tsx", { id: "manage-decision" }),
    route("notifications", "routes/dashboard/notifications.tsx", { id: "manage-notifications" }),
    route("notifications/:notificationId", "routes/dashboard/notification.tsx", {
      id: "manage-notification",
    }),
    route("account", "routes/dashboard/my-account.tsx", { id: "manage-account" }),
    route("account/tokens", "routes/dashboard/tokens.tsx", { id: "manage-account-tokens" }),
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

  route("logout", "routes/account/logout.ts", { id: "logout" }),
  route("login/passkey", "routes/account/log-in-by-passkey.ts", { id: "login-passkey" }),
  route("google", "routes/account/google.ts", { id: "google" }),
  route("google/callback", "routes/account/google-callback.ts", { id: "google-callback" }),
  route("addphone/fair-price", "routes/account/fair-price.ts", { id: "addphone-fair-price" }),
  route("manage/unread", "routes/dashboard/unread.ts", { id: "manage-unread" }),
  route("manage/saved/state", "routes/dashboard/saved-state.ts", { id: "manage-saved-state" }),
  ...["users", "sellers", "reports", "content-reports", "orders", "listings", "activity"].map((table) =>
    route(`manage/${table}.csv`, "routes/dashboard/table-csv.ts", { id: `manage-${table}-csv` }),
  ),
  route("manage/undo", "routes/dashboard/undo.ts", { id: "manage-undo" }),
  route("manage/messages/newest", "routes/dashboard/newest-message.ts", { id: "manage-newest-message" }),
  route("manage/mysells/:phoneId/photos/upload", "routes/dashboard/photo-upload.ts", {
    id: "manage-photo-upload",
  }),
  route("manage/account/verify", "routes/dashboard/verify-address.ts", { id: "manage-account-verify" }),
  route("manage/account/data", "routes/dashboard/my-data.ts", { id: "manage-account-data" }),
  route("manage/account/passkeys", "routes/dashboard/passkeys.ts", { id: "manage-account-passkeys" }),

  // The REST API, documented at /api.
  route("phoneInfoCollection", "routes/api/phone-info-collection.ts"),
  route("phoneInfoCollection/:category", "routes/api/phone-info-by-category.ts"),
  route("phoneInfoCollection/:category/:type", "routes/api/phone-info-by-category-and-type.ts"),
  route("allPhoneInfo", "routes/api/all-phone-info.ts"),
  route("phones/delete/:id", "routes/api/phones-delete.ts"),
  route("bookings", "routes/api/bookings.ts"),
  route("bookings/delete/:id", "routes/api/bookings-delete.ts"),
  route("bookings/reviews/:id", "routes/api/booking-reviews.ts"),
  route("bookings/review/:id", "routes/api/booking-review.ts"),
  route("bookings/reply/:id", "routes/api/booking-reply.ts"),
  route("reviews/seller/:id", "routes/api/reviews-seller.ts"),
  route("messages", "routes/api/messages.ts"),
  route("messages/:id", "routes/api/conversation.ts"),
  route("messages/read/:id", "routes/api/conversation-read.ts"),
  route("messages/block/:id", "routes/api/conversation-block.ts"),
  route("contentReports", "routes/api/content-reports.ts"),
  route("bookings/delivery/:id", "routes/api/bookings-delivery.ts"),
  route("notifications", "routes/api/notifications.ts"),
  route("notifications/read", "routes/api/notifications-read.ts"),
  route("saved", "routes/api/saved.ts"),
  route("saved/:phoneId", "routes/api/saved-listing.ts"),
  route("users", "routes/api/users.ts"),
  route("users/delete/:id", "routes/api/users-delete.ts"),
  route("users/admin/:email", "routes/api/users-admin.ts"),
  route("users/seller/:email", "routes/api/users-seller.ts"),
  route("sellers", "routes/api/sellers.ts"),
  route("seller/verify/:id", "routes/api/seller-verify.ts"),
  route("searches", "routes/api/searches.ts"),
  route("searches/:id", "routes/api/search.ts"),
  route("jwt", "routes/api/jwt.ts"),
  // API requests to /report, see `toResourceRoute`.
  route("report.json", "routes/api/report.ts"),
  ...apiPrefixes.map((path) =>
    route(`${path}/*`, "routes/api/api-not-found.ts", { id: `${path}-not-found` }),
  ),

  route("openapi.json", "routes/api/openapi.ts"),

  route("healthz", "routes/pages/healthz.ts", { id: "healthz" }),
  route("readyz", "routes/pages/readyz.ts", { id: "readyz" }),
] satisfies RouteConfig;
