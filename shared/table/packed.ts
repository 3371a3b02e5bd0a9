import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** An item holds 400 KB. */
const mostPieceCharacters = 300_000;

/** A long text in pieces, each for an item. Nearly every text fits one; only what hardly compresses needs more. */
export const packed = (text: string): string[] => {
  const whole = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).toString('base64');
  return Array.from({ length: Math.ceil(whole.length / mostPieceCharacters) }, (_, n) =>
    whole.slice(n * mostPieceCharacters, (n + 1) * mostPieceCharacters),
  );
};

/** The text that all of these pieces are, in their order. */
export const unpacked = (pieces: readonly string[]): string =>
  brotliDecompressSync(Buffer.from(pieces.join(''), 'base64')).toString('utf8');
