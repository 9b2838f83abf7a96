/**
 * Renders the photographs of the demo data into `scripts/demo/photographs/pictures`, by Blender. `-- NAME…` renders
 * those whose names begin with one of these, `--draft` small ones into a temporary folder.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";
import sharp from "sharp";
import { chromiumPath } from "../tests/harness/chromium.ts";
import { parseArguments } from "./arguments.ts";
import { drawFront, frontScale } from "./demo/photographs/front";
import { type Photograph, photographs, picturesFolder } from "./demo/photographs/photographs";
import { describeScene } from "./demo/photographs/scene";
import { runCommand } from "./run-command.ts";

const blenderProgram = process.env.BLENDER ?? "blender";
const script = fileURLToPath(new URL("demo/photographs/blender/picture.py", import.meta.url));
const run = promisify(execFile);

const maxBytes = 120_000;

await runCommand(async () => {
  const { values, positionals } = parseArguments("render [--draft] [NAME…]", {
    allowPositionals: true,
    options: { draft: { type: "boolean", default: false } },
  });
  await checkBlender();
  const starts = positionals.length > 0 ? positionals : [""];
  const chosen = photographs.filter(({ name }) => starts.some((start) => name.startsWith(start)));
  if (chosen.length === 0) throw new Error("No photograph has a name that begins so.");
  const work = await mkdtemp(join(tmpdir(), "ringback-render-"));
  const target = values.draft ? join(tmpdir(), "ringback-drafts") : picturesFolder;
  await mkdir(target, { recursive: true });
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: ["--no-sandbox"] });
  try {
    for (const photograph of chosen) {
      const started = Date.now();
      const picture = await render(photograph, browser, work, values.draft);
      const file = join(target, `${photograph.name}.jpg`);
      await writeFile(file, picture);
      const seconds = Math.round((Date.now() - started) / 1000);
      console.log(`${file}: ${Math.ceil(picture.length / 1000)} KB, ${seconds} s`);
    }
  } finally {
    await browser.close();
    await rm(work, { recursive: true, force: true });
  }
});

async function checkBlender() {
  const options = [
    "--background",
    "--factory-startup",
    "--python-exit-code",
    "1",
    "--python-expr",
    "import numpy",
  ];
  await run(blenderProgram, options).catch(() => {
    throw new Error(
      "Blender, or numpy for its Python, is missing: install them (on Debian `sudo apt-get install blender python3-numpy`), or set BLENDER to a Blender that has both.",
    );
  });
}

async function render(photograph: Photograph, browser: Browser, work: string, isDraft: boolean) {
  const { name, model, wear, shot } = photograph;
  const folder = join(work, name);
  await mkdir(folder);
  const files = {
    front: join(folder, "front.png"),
    output: join(folder, "picture.png"),
    folder,
    textures: work,
  };
  await writeFile(files.front, await rasterizeFront(browser, photograph));
  const quality = isDraft
    ? { scale: 0.4, samples: 12, threshold: 0.1 }
    : { scale: 1, samples: 40, threshold: 0.12 };
  const scene = join(folder, "scene.json");
  await writeFile(scene, JSON.stringify(describeScene(model, wear, shot, name, files, quality)));
  const options = [
    "--background",
    "--factory-startup",
    "--python-exit-code",
    "1",
    "--python",
    script,
    "--",
    scene,
  ];
  await run(blenderProgram, options, { maxBuffer: 2 ** 28 }).catch((error) => {
    throw new Error(`Blender failed on ${name}:\n${error.stderr || error.stdout}`);
  });
  return compress(files.output);
}

async function rasterizeFront(browser: Browser, { model, shot }: Photograph): Promise<Buffer> {
  const { widthMm, heightMm } = model.shape;
  const scale = frontScale(model);
  const page = await browser.newPage({
    viewport: { width: Math.round(widthMm * scale), height: Math.round(heightMm * scale) },
  });
  const fonts = await Promise.all([400, 600].map(fontFace));
  const svg = drawFront(model, shot.screen ?? "off", shot.clock ?? "9:41");
  await page.setContent(
    `<style>${fonts.join("")}body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`,
  );
  await page.evaluate(() => document.fonts.ready);
  const png = await page.screenshot();
  await page.close();
  return png;
}

async function fontFace(weight: number): Promise<string> {
  const file = new URL(
    `../node_modules/@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-${weight}-normal.woff2`,
    import.meta.url,
  );
  const data = (await readFile(file)).toString("base64");
  return `@font-face{font-family:Front;font-weight:${weight};src:url(data:font/woff2;base64,${data})}`;
}

/** The best JPEG that is small enough. */
async function compress(file: string): Promise<Buffer> {
  for (let quality = 84; ; quality -= 3) {
    const jpeg = await sharp(file).blur(0.55).jpeg({ quality, mozjpeg: true }).toBuffer();
    if (jpeg.length <= maxBytes || quality < 40) return jpeg;
  }
}
