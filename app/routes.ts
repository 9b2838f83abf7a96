import { type RouteConfig, route } from "@remix-run/route-config";

/** The four product lists share their modules; each module reads from the path which shelf it serves. */
const shelf = (path: string) =>
  route(path, "routes/shelf/list.tsx", { id: path }, [
    route(":phoneId", "routes/shelf/details.tsx", { id: `${path}-details` }),
    route(":phoneId/book", "routes/shelf/book.tsx", { id: `${path}-book` }),
  ]);

/** Every path of the product, in the order of the specification's tables. */
export default [
  route("/", "routes/site/home.tsx", { id: "home", index: true }),
  route("login", "routes/account/login.tsx", { id: "login" }),
  route("blogs", "routes/site/blogs.tsx", { id: "blogs" }),
  shelf("products"),
  shelf("android"),
  shelf("ios"),
  shelf("tablet"),
  route("signup", "routes/account/buyer-sign-up.tsx", { id: "signup" }),
  route("sellersignup", "routes/account/seller-sign-up.tsx", { id: "sellersignup" }),
  route("addphone", "routes/account/add-phone.tsx", { id: "addphone" }),
  route("about", "routes/site/about.tsx", { id: "about" }),
  route("report", "routes/site/report.tsx", { id: "report" }),

  route("manage", "routes/manage/layout.tsx", { id: "manage" }, [
    route("", "routes/manage/my-orders.tsx", { id: "manage-orders", index: true }),
    route("mysells", "routes/manage/my-sellings.tsx", { id: "manage-sellings" }),
    route("users", "routes/manage/users.tsx", { id: "manage-users" }),
    route("sellers", "routes/manage/sellers.tsx", { id: "manage-sellers" }),
    route("reports", "routes/manage/reports.tsx", { id: "manage-reports" }),
    route("activity", "routes/manage/activity.tsx", { id: "manage-activity" }),
  ]),

  // Where the links of our mails lead, and how to ask for one.
  route("forgot", "routes/account/forgot.tsx", { id: "forgot" }),
  route("reset", "routes/account/reset.tsx", { id: "reset" }),
  route("verify", "routes/account/verify.tsx", { id: "verify" }),

  // What the pages' forms post to, beside the pages themselves.
  route("logout", "routes/account/logout.ts", { id: "logout" }),
  route("google", "routes/account/google.ts", { id: "google" }),
  route("manage/undo", "routes/manage/undo.ts", { id: "manage-undo" }),
  route("manage/account/verify", "routes/manage/verify-address.ts", { id: "manage-account-verify" }),

  route("*", "routes/site/not-found.tsx", { id: "not-found" }),
] satisfies RouteConfig;
