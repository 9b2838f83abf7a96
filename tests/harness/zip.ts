import { constants, crc32, deflateRawSync } from "node:zlib";

interface ZippedFile {
  name: string;
  content: Buffer;
  /** The size that the ZIP says, if another one. */
  saidSize?: number;
  encrypted?: boolean;
  /** Deflated content, in place of what `content` deflates to. */
  deflated?: Buffer;
  /** Not compressed, as programs keep photos. */
  isStored?: boolean;
}

/** A ZIP file. @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
export function zipOf(files: ZippedFile[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, saidSize = content.length, encrypted = false, deflated, isStored } of files) {
    const compressed = isStored ? content : (deflated ?? deflateRawSync(content));
    const path = Buffer.from(name);
    const flags = 0x0800 | Number(encrypted);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(isStored ? 0 : 8, 4);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(compressed.length, 14);
    shared.writeUInt32LE(saidSize, 18);
    shared.writeUInt16LE(path.length, 22);
    const body = Buffer.concat([Buffer.from("PK\x03\x04"), shared, path, compressed]);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\0"), shared, entry, path);
    bodies.push(body);
    offset += body.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, listed, Buffer.from("PK\x05\x06"), end]);
}

/** Some kilobytes that inflate to gigabytes of zeros. */
export function bombOf(gigabytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(1024 ** 2 * 16), {
    finishFlush: constants.Z_FULL_FLUSH,
    level: 9,
  });
  return Buffer.concat([...Array(gigabytes * 64).fill(block), deflateRawSync(Buffer.alloc(0))]);
}
