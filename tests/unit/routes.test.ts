import type { RouteConfigEntry } from "@remix-run/route-config";
import { expect, test } from "vitest";
import routes from "#app/routes.ts";

/** Every address, with the modules that answer it from the outermost in. */
function addresses(entries: RouteConfigEntry[], path = "", modules: string[] = []): string[] {
  return entries.flatMap(({ path: segment = "", file, children = [] }) => {
    const address = [path, segment.replace(/^\//, "")].filter(Boolean).join("/");
    const stack = [...modules, file];
    const below = addresses(children, address, stack);
    // A layout with a child at its own address answers only through that child.
    const shadowed = children.some((child) => child.index);
    return shadowed ? below : [`/${address}: ${stack.join(" > ")}`, ...below];
  });
}

test("the product has these addresses and no others", () => {
  const shelf = (path: string) => [
    `/${path}: routes/catalog/list.tsx`,
    `/${path}/:phoneId: routes/catalog/list.tsx > routes/catalog/details.tsx`,
    `/${path}/:phoneId/book: routes/catalog/list.tsx > routes/catalog/book.tsx`,
  ];
  expect(addresses(routes)).toEqual([
    "/: routes/site/home.tsx",
    "/login: routes/account/login.tsx",
    "/blogs: routes/site/blogs.tsx",
    ...shelf("products"),
    ...shelf("android"),
    ...shelf("ios"),
    ...shelf("tablet"),
    "/phones/:phoneId: routes/catalog/listing.tsx",
    "/compare: routes/catalog/compare.tsx",
    "/sellers/:sellerId: routes/catalog/seller.tsx",
    "/models/:slug: routes/catalog/model.tsx",
    "/signup: routes/account/buyer-sign-up.tsx",
    "/sellersignup: routes/account/seller-sign-up.tsx",
    "/addphone: routes/account/add-phone.tsx",
    "/about: routes/site/about.tsx",
    "/report: routes/site/report.tsx",
    "/manage: routes/manage/layout.tsx > routes/manage/my-orders.tsx",
    "/manage/orders/:orderId: routes/manage/layout.tsx > routes/manage/order.tsx",
    "/manage/mysells: routes/manage/layout.tsx > routes/manage/my-sellings.tsx",
    "/manage/mysells/:phoneId/edit: routes/manage/layout.tsx > routes/manage/edit-listing.tsx",
    "/manage/mysells/:phoneId/photos: routes/manage/layout.tsx > routes/manage/photos.tsx",
    "/manage/users: routes/manage/layout.tsx > routes/manage/users.tsx",
    "/manage/sellers: routes/manage/layout.tsx > routes/manage/sellers.tsx",
    "/manage/reports: routes/manage/layout.tsx > routes/manage/reports.tsx",
    "/manage/activity: routes/manage/layout.tsx > routes/manage/activity.tsx",
    "/manage/account: routes/manage/layout.tsx > routes/manage/my-account.tsx",
    "/forgot: routes/account/forgot.tsx",
    "/reset: routes/account/reset.tsx",
    "/verify: routes/account/verify.tsx",
    "/api: routes/site/api.tsx",
    "/*: routes/site/not-found.tsx",
    "/robots.txt: routes/site/robots.ts",
    "/sitemap.xml: routes/site/sitemap.ts",
    "/sitemap/:part: routes/site/sitemap-part.ts",
    "/products.rss: routes/catalog/feed.ts",
    "/android.rss: routes/catalog/feed.ts",
    "/ios.rss: routes/catalog/feed.ts",
    "/tablet.rss: routes/catalog/feed.ts",
    "/search/suggestions: routes/catalog/suggestions.ts",
    "/photos/:photoId/:size: routes/site/photo.ts",
    "/logout: routes/account/logout.ts",
    "/login/passkey: routes/account/log-in-by-passkey.ts",
    "/google: routes/account/google.ts",
    "/google/callback: routes/account/google-callback.ts",
    "/addphone/fair-price: routes/account/fair-price.ts",
    "/manage/undo: routes/manage/undo.ts",
    "/manage/mysells/:phoneId/photos/upload: routes/manage/photo-upload.ts",
    "/manage/account/verify: routes/manage/verify-address.ts",
    "/manage/account/data: routes/manage/my-data.ts",
    "/manage/account/passkeys: routes/manage/passkeys.ts",
    "/phoneInfoCollection: routes/rest/phone-info-collection.ts",
    "/phoneInfoCollection/:category: routes/rest/phone-info-by-category.ts",
    "/phoneInfoCollection/:category/:type: routes/rest/phone-info-by-category-and-type.ts",
    "/allPhoneInfo: routes/rest/all-phone-info.ts",
    "/phones/delete/:id: routes/rest/phones-delete.ts",
    "/bookings: routes/rest/bookings.ts",
    "/bookings/delete/:id: routes/rest/bookings-delete.ts",
    "/users: routes/rest/users.ts",
    "/users/delete/:id: routes/rest/users-delete.ts",
    "/users/admin/:email: routes/rest/users-admin.ts",
    "/users/seller/:email: routes/rest/users-seller.ts",
    "/sellers: routes/rest/sellers.ts",
    "/seller/verify/:id: routes/rest/seller-verify.ts",
    "/jwt: routes/rest/jwt.ts",
    "/report.json: routes/rest/report.ts",
    "/phoneInfoCollection/*: routes/rest/api-not-found.ts",
    "/allPhoneInfo/*: routes/rest/api-not-found.ts",
    "/phones/delete/*: routes/rest/api-not-found.ts",
    "/bookings/*: routes/rest/api-not-found.ts",
    "/users/*: routes/rest/api-not-found.ts",
    "/seller/*: routes/rest/api-not-found.ts",
    "/jwt/*: routes/rest/api-not-found.ts",
    "/openapi.json: routes/rest/openapi.ts",
    "/healthz: routes/site/healthz.ts",
    "/readyz: routes/site/readyz.ts",
  ]);
});
