import { hash, randomBytes } from 'node:crypto';

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** True for a string that `newId` can create. No item has any other id, so lookups skip the table. */
export const isId = (text: string): boolean => shape.test(text);

/** The id in examples. */
export const exampleId = '019a9c1e-5b7a-7c31-9f04-2d6f0c1e8a55';
export const newerExampleId = '019a9c1f-81d3-7e90-b5a7-6c7d8e9f0a1b';

/** A UUIDv7 (RFC 9562, section 5.7) for this time: ids sort by creation time. */
export const newId = (nowMs: number, random: Uint8Array = randomBytes(10)): string => assemble(nowMs, random);

/** The id for this time that follows from a text: the same text always gives the same one. */
export const derivedId = (timeMs: number, text: string): string => assemble(timeMs, hashOf(text));

/** The lowest and the highest id of a millisecond, to query a time range by id. */
export const firstIdAt = (timeMs: number): string => assemble(timeMs, new Uint8Array(10));
export const lastIdAt = (timeMs: number): string => assemble(timeMs, new Uint8Array(10).fill(0xff));

/** The same id with another creation time. */
export const idAt = (id: string, timeMs: number): string => firstIdAt(timeMs).slice(0, 13) + id.slice(13);

/** The creation time of an id, in milliseconds since 1970. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** The id of the nth thing that a request with this id creates: the same for every attempt, in order of n (0 to 4095). */
export const nthId = (id: string, n: number): string => {
  const random = hashOf(`${id}#${n}`);
  random.writeUInt16BE(n, 0);
  return assemble(timeOfId(id), random);
};

/** The last byte of an id, which is random: to spread things evenly. */
export const lastByteOf = (id: string): number => Number.parseInt(id.slice(-2), 16);

export const idBytes = 16;

/** An id in sixteen bytes, for tokens that have it in them; and back. */
export const bytesOfId = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
export const idOfBytes = (bytes: Buffer): string => {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

const hashOf = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Of `random`, the first ten bytes count. */
const assemble = (timeMs: number, random: Uint8Array): string => {
  const bytes = Buffer.alloc(idBytes);
  bytes.writeUIntBE(Math.min(Math.max(Math.trunc(timeMs), 0), 2 ** 48 - 1), 0, 6);
  bytes.set(random.subarray(0, 10), 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return idOfBytes(bytes);
};
