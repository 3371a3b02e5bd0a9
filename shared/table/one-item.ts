/** Of JSON in one item, which takes 400 KB in all. */
export const mostItemBytes = 380_000;

export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
