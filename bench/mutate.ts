import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { endWithUsage, parseArguments } from "../scripts/arguments.ts";
import { randomFrom } from "../scripts/demo/drawing/random.ts";
import { packageBin } from "../scripts/package-bin.ts";
import { runCommand } from "../scripts/run-command.ts";
import { isSmoke } from "./smoke.ts";

// `npm run mutate -- N` makes N random changes to the features, one at a time in a copy of the checkout, and prints those
// that neither unit nor data tests notice. See docs/testing.md.

const run = promisify(execFile);
const usage = "mutate N [--seed N]";
const { values, positionals } = parseArguments(usage, {
  options: { seed: { type: "string" }, smoke: { type: "boolean" } },
  allowPositionals: true,
});
const [count = isSmoke ? 1 : 0, ...others] = positionals.map(Number);
if (!Number.isSafeInteger(count) || count < 1 || others.length > 0) endWithUsage(usage);
const seed = values.seed ?? String(isSmoke ? 1 : Math.floor(Math.random() * 1_000_000));

interface Mutation {
  file: string;
  line: number;
  start: number;
  end: number;
  before: string;
  after: string;
}

/** What stands for what, both ways. */
const pairs = [
  ...[
    ["<", "<="],
    [">", ">="],
    ["===", "!=="],
    ["&&", "||"],
    ["true", "false"],
    ["lt", "lte"],
    ["gt", "gte"],
  ],
  ...[
    ["eq", "ne"],
    ["and", "or"],
    ["isNull", "isNotNull"],
    ["inArray", "notInArray"],
    ["asc", "desc"],
  ],
];
const opposites = new Map(
  pairs.flatMap(([one = "", other = ""]) => [
    [one, other],
    [other, one],
  ]),
);

/** The mutations of a file: other operators, numbers, truth values, conditions and conditions of SQL. */
function mutationsOf(file: string, text: string): Mutation[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutation[] = [];
  const add = (node: ts.Node, after: string | undefined) => {
    if (after === undefined) return;
    const [start, end] = [node.getStart(source), node.getEnd()];
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    found.push({ file, line, start, end, before: text.slice(start, end), after });
  };
  (function visit(node: ts.Node) {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) add(node.operatorToken, opposites.get(node.operatorToken.getText()));
    if (/^(true|false)$/.test(node.getText())) add(node, opposites.get(node.getText()));
    if (ts.isNumericLiteral(node)) add(node, `${Number(node.text.replaceAll("_", "")) + 1}`);
    if (ts.isIfStatement(node)) add(node.expression, `!(${node.expression.getText()})`);
    if (ts.isConditionalExpression(node)) add(node.condition, `!(${node.condition.getText()})`);
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const { text: name } = node.expression;
      const opposite = opposites.get(name);
      if (opposite) add(node.expression, `drizzle.${opposite}`);
      if (name === "not") add(node, node.arguments[0]?.getText());
    }
    ts.forEachChild(node, visit);
  })(source);
  return found;
}

/** The tests that notice a changed rule, the quick ones first. Pages and API, which need a build, are left out. */
const suites = [
  ["--project", "code", "tests/unit", "--exclude", "tests/unit/docs.test.ts"],
  ...(isSmoke ? [] : [["tests/data"]]),
];

const stopped = new AbortController();
// Then the tests end, and the copy is deleted.
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stopped.abort());

const folder = await mkdtemp(join(tmpdir(), "ringback-mutations-"));
const vitest = packageBin("vitest", "vitest");

/** @throws Error with the output if a test fails, or the tests take longer than `timeout` milliseconds */
async function runTests(timeout?: number): Promise<void> {
  for (const suite of suites) {
    const command = [vitest, "run", ...suite, "--tags-filter=!slow", "--bail", "1"];
    const options = { cwd: folder, timeout, signal: stopped.signal, maxBuffer: 100_000_000 };
    await run(process.execPath, command, options);
  }
}

/** Whether the tests pass all the same. */
async function survives({ file, start, end, after }: Mutation, timeout: number): Promise<boolean> {
  const path = join(folder, file);
  const text = await readFile(path, "utf8");
  const drizzle = after.startsWith("drizzle.") ? `\nimport * as drizzle from "drizzle-orm";\n` : "";
  await writeFile(path, text.slice(0, start) + after + text.slice(end) + drizzle);
  try {
    await runTests(timeout);
    return true;
  } catch {
    stopped.signal.throwIfAborted();
    return false;
  } finally {
    await writeFile(path, text);
  }
}

await runCommand(async () => {
  const listed = await run("git", ["ls-files", "-co", "--exclude-standard", "--deduplicate"]);
  const files = listed.stdout.trim().split("\n");
  for (const file of files) await cp(file, join(folder, file));
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  const mutated = files.filter((file) => /^app\/features\/.*(?<!\.d)\.ts$/.test(file));
  const texts = mutated.map(async (file) => mutationsOf(file, await readFile(file, "utf8")));
  const mutations = (await Promise.all(texts)).flat();
  const begin = Date.now();
  await runTests().catch(({ stdout }) => {
    stopped.signal.throwIfAborted();
    throw new Error(`${stdout}The tests fail without a mutation.`);
  });
  // A mutation may never end.
  const timeout = 10 * (Date.now() - begin);
  const random = randomFrom(seed);
  let survivors = 0;
  for (let index = 0; index < count; index += 1) {
    const mutation = mutations[Math.floor(random() * mutations.length)];
    if (!mutation) break;
    const survived = await survives(mutation, timeout);
    if (survived) survivors += 1;
    const { file, line, before, after } = mutation;
    console.log(`${survived ? "SURVIVED" : "caught  "}  ${file}:${line}  ${before} → ${after}`);
  }
  console.log(
    `${survivors} of ${count} mutations survived. Repeat: npm run mutate -- ${count} --seed ${seed}`,
  );
}).finally(() => rm(folder, { recursive: true, force: true }));
