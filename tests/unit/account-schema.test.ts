import { describe, expect, test } from "vitest";
import { loginSchema, recoverySchema, signUpSchema } from "#app/features/accounts/account.schema.ts";

const signUp = { name: "Mia Sund", email: "mia@example.com", password: "secret1" };
const logIn = { email: "mia@example.com", password: "secret1" };

function messages(schema: typeof signUpSchema | typeof loginSchema, form: Record<string, unknown>) {
  const { error } = schema.safeParse(form);
  const found: Record<string, string[]> = {};
  for (const { path, message } of error?.issues ?? []) {
    const field = path.join(".");
    found[field] = [...(found[field] ?? []), message];
  }
  return found;
}

test("a valid sign-up passes; name and email are trimmed, the password is not", () => {
  const padded = { name: "  Mia Sund ", email: " mia@example.com ", password: " secret1 " };
  expect(signUpSchema.parse(padded)).toEqual({ ...signUp, password: " secret1 " });
});

test("an email address in full-width letters is read", () => {
  for (const schema of [signUpSchema, loginSchema, recoverySchema])
    expect(schema.parse({ ...signUp, email: "ｍｉａ＠ｅｘａｍｐｌｅ．ｃｏｍ" })).toHaveProperty(
      "email",
      "mia@example.com",
    );
});

test("a name loses characters that control a line or turn its direction", () => {
  const { name } = signUpSchema.parse({ ...signUp, name: "\u202eMia\n\u2066 Sund\u0007\u200f" });
  expect(name).toBe("Mia Sund");
  expect(messages(signUpSchema, { ...signUp, name: "\u202e\u200f" })).toEqual({ name: ["Name required"] });
});

test("the role is not read from the form", () => {
  expect(signUpSchema.parse({ ...signUp, userType: "Admin" })).toEqual(signUp);
});

test("missing and blank fields are required", () => {
  const required = {
    name: ["Name required"],
    email: ["Email Address required"],
    password: ["Password is required"],
  };
  expect(messages(signUpSchema, {})).toEqual(required);
  expect(messages(signUpSchema, { name: "", email: "", password: "" })).toEqual(required);
  expect(messages(signUpSchema, { name: " ", email: "\t", password: "" })).toEqual(required);
  expect(messages(loginSchema, {})).toEqual({ email: required.email, password: required.password });
});

test("a field that is not text is required", () => {
  expect(messages(signUpSchema, { name: ["a", "b"], email: {}, password: 1234567 })).toEqual({
    name: ["Name required"],
    email: ["Email Address required"],
    password: ["Password is required"],
  });
});

describe("a password on sign-up", () => {
  // One message at a time, the most important first.
  test.each([
    ["a", "Password must be 6 Character or Longer"],
    ["A1b2c", "Password must be 6 Character or Longer"],
    ["ABCDEF", "Need strong password"],
    ["abcdef", "Need strong password"],
    ["123456", "Need strong password"],
    ["ABC123", "Need strong password"],
    ["ÄÖÅ123", "Need strong password"],
    ["A".repeat(73), "Password must be 72 bytes or shorter"],
    [`a1${"x".repeat(71)}`, "Password must be 72 bytes or shorter"],
    [`a1${"é".repeat(36)}`, "Password must be 72 bytes or shorter"],
    [`a1${"📱".repeat(18)}`, "Password must be 72 bytes or shorter"],
  ])("%s is refused: %s", (password, message) => {
    expect(messages(signUpSchema, { ...signUp, password })).toEqual({ password: [message] });
  });

  test.each(["abcde1", "1bcdeF", `a1${"x".repeat(70)}`, `a1${"é".repeat(35)}`, `a1ab${"📱".repeat(17)}`])(
    "accepts %s",
    (password) => {
      expect(signUpSchema.parse({ ...signUp, password }).password).toBe(password);
    },
  );
});

describe("a password on login", () => {
  test("does not have to be strong", () => {
    expect(loginSchema.parse({ ...logIn, password: "ABCDEF" }).password).toBe("ABCDEF");
  });

  test.each([
    ["", "Password is required"],
    ["abc12", "Password must be 6 Character or Longer"],
    ["x".repeat(73), "Password must be 72 bytes or shorter"],
  ])("'%s' is refused: %s", (password, message) => {
    expect(messages(loginSchema, { ...logIn, password })).toEqual({ password: [message] });
  });
});

describe("an email address:", () => {
  test.each(["a@b", "mia.sund+phones@example.co.uk", "o'hara@example.com", `${"a".repeat(242)}@example.com`])(
    "accepts %s",
    (email) => {
      expect(loginSchema.parse({ ...logIn, email }).email).toBe(email);
    },
  );

  test.each([
    "mia",
    "mia@",
    "@example.com",
    "mia@exa mple.com",
    "mia@example..com",
    "mia@-example.com",
    "<a@b>",
  ])("%s is refused", (email) => {
    const message = "Enter an email address like name@example.com";
    expect(messages(loginSchema, { ...logIn, email })).toEqual({ email: [message] });
    expect(messages(signUpSchema, { ...signUp, email })).toEqual({ email: [message] });
  });

  test("255 characters are too long", () => {
    const email = `${"a".repeat(243)}@example.com`;
    const message = "Email Address must be 254 characters or shorter";
    expect(messages(loginSchema, { ...logIn, email })).toEqual({ email: [message] });
  });
});

test("a name may have up to 100 characters", () => {
  expect(messages(signUpSchema, { ...signUp, name: "n".repeat(100) })).toEqual({});
  expect(messages(signUpSchema, { ...signUp, name: "n".repeat(101) })).toEqual({
    name: ["Name must be 100 characters or shorter"],
  });
});
