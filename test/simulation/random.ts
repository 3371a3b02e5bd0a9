/** Numbers that follow from a seed. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  isChance(probability: number): boolean;
  pick<Each>(all: readonly [Each, ...Each[]]): Each;
  bytes(length: number): Buffer;
  uuid(): string;
}

/** 32 bits that follow from a seed and a text (FNV-1a, mixed). */
const hashOf = (seed: number, text: string): number => {
  let hash = (seed ^ 0x811c9dc5) >>> 0;
  for (let n = 0; n < text.length; n += 1) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

/** Mulberry32: fast, and good enough to choose what happens next. Each call of a world has one of its own: a class, which is made at once. */
class Mulberry32 implements Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  #bits(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  next(): number {
    return this.#bits() / 2 ** 32;
  }

  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  isChance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Each>(all: readonly [Each, ...Each[]]): Each {
    // What is picked may be null.
    return all[this.below(all.length)] as Each;
  }

  bytes(length: number): Buffer {
    const made = Buffer.allocUnsafe(length);
    for (let n = 0; n < length; n += 1) made[n] = this.#bits() & 0xff;
    return made;
  }

  uuid(): string {
    const hex = this.bytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}

/** The chances of what has this name in the world of this seed: the same in each run, whatever else happens. */
export const randomIn = (seed: number, name: string): Random => new Mulberry32(hashOf(seed, name));
