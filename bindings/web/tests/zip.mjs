// Zip archives for tests, honest ones and others.
import { deflateRawSync } from "node:zlib";

const TABLE = Array.from({ length: 256 }, (_, value) => {
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ TABLE[(sum ^ byte) & 255];
  return ~sum >>> 0;
}

/** @param {[name: string, content: Buffer | string][]} files */
export function zip(files) {
  const [body, directory] = [[], []];
  let at = 0;
  for (const [name, content] of files) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes, { level: 9 });
    const path = Buffer.from(name);
    const common = Buffer.alloc(26);
    [20, 1 << 11, 8, 0, 33].forEach((field, index) => common.writeUInt16LE(field, 2 * index));
    [checksum(bytes), packed.length, bytes.length].forEach((field, index) => common.writeUInt32LE(field, 10 + 4 * index));
    common.writeUInt16LE(path.length, 22);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(at, 10);
    body.push(Buffer.from("PK\x03\x04"), common, path, packed);
    directory.push(Buffer.from("PK\x01\x02\x14\x00"), common, entry, path);
    at += 30 + path.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...body, listed, end]);
}
