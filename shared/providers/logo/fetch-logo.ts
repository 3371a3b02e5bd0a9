import { imageTypeOf, type Logo, mostLogoBytes } from '../../checkout/logo.ts';
import type { SendRequest } from '../http/pinned-request.ts';

/** Reads a logo; a text says why there is none. */
export type FetchLogo = (url: string) => Promise<Logo | string>;

/** `request`: reads one byte more than a logo may have. */
export const logoFetcher =
  (request: SendRequest): FetchLogo =>
  async (url) => {
    const headers = { Accept: 'image/png, image/jpeg, image/webp' };
    const { answer, failure } = await request({ method: 'GET', url, headers, body: '' });
    if (failure) return `could not be read: ${failure.message}`;
    if (answer.statusCode !== 200) return `must answer 200; it answered ${answer.statusCode}`;
    if (answer.bytes.length > mostLogoBytes) return `must be at most ${mostLogoBytes / 1_024} KB`;
    const type = imageTypeOf(answer.bytes);
    return type ? { type, bytes: answer.bytes } : 'must be a PNG, JPEG or WebP image';
  };
