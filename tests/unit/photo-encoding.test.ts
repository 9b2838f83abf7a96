import { expect, test } from "vitest";
import { encodePhoto } from "#app/features/photos/encode-photo.server.ts";
import { readPictureHeader } from "#app/features/photos/picture-header.ts";
import { picture } from "../harness/images.ts";

/** An Images service whose answers follow a list, and are a picture after its end. */
function imagesService(answers: (Error | Buffer)[], encoded: Buffer) {
  let calls = 0;
  const transformer = {
    transform: () => transformer,
    output: async () => {
      const answer = answers[calls] ?? encoded;
      calls += 1;
      if (answer instanceof Error) throw answer;
      return { response: () => new Response(new Uint8Array(answer)) };
    },
  };
  return { images: { input: () => transformer } as never, calls: () => calls };
}

const lost = new Error("Network connection lost.");
const encode = async (...answers: (Error | Buffer)[]) => {
  const file = await picture();
  const header = readPictureHeader(new Uint8Array(file));
  if (!header) throw new Error("no picture");
  const service = imagesService(answers, file);
  const result = await encodePhoto(service.images, header).then((photo) => photo?.width ?? null, String);
  return { result, calls: service.calls() };
};

test("a photo is encoded when two connections to the Images service break, one after the other", async () => {
  expect(await encode()).toEqual({ result: 640, calls: 4 });
  expect(await encode(lost, lost)).toEqual({ result: 640, calls: 6 });
  expect(await encode(Buffer.alloc(0), lost)).toEqual({ result: 640, calls: 6 });
});

test("a third failure is reported, and a picture that the service refuses is not sent again", async () => {
  expect(await encode(lost, lost, lost)).toEqual({ result: String(lost), calls: 3 });
  const refused = Object.assign(new Error("Unreadable"), { code: 9412 });
  expect(await encode(refused)).toEqual({ result: null, calls: 1 });
});
