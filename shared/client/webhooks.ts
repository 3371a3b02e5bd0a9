/** A delivery that the service did not sign, or whose time differs too much from the receiver's clock. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

interface Delivered {
  /** As it arrived, before any parsing. */
  readonly body: string;
  readonly headers: Headers;
  readonly secret: string;
  readonly toleranceSeconds?: number;
  readonly nowSeconds?: number;
}

interface Signed {
  readonly timestamp: string;
  /** The signed text. */
  readonly text: string;
  readonly signatures: readonly Uint8Array<ArrayBuffer>[];
}

/**
 * The event of a genuine delivery of messaging. It rejects with a `SignatureError` otherwise. While a secret is rotated, a delivery has several
 * signatures, of which one must fit. Events may arrive more than once: process each `id` once.
 */
export const verifyWebhook = async <Events>(delivered: Delivered): Promise<Events[keyof Events]> => {
  const { body, headers, secret, toleranceSeconds = 300, nowSeconds = Date.now() / 1_000 } = delivered;
  const signed = ofService(headers, body) ?? ofStandardWebhooks(headers, body);
  if (!signed) throw new SignatureError('The delivery has no signature with a time.');
  if (Math.abs(nowSeconds - Number(signed.timestamp)) > toleranceSeconds) {
    throw new SignatureError(
      `The time of the signature differs from this clock by more than ${toleranceSeconds} seconds.`,
    );
  }
  await requireSignature(secret, signed);
  return JSON.parse(body);
};

/** The event of a genuine delivery of the checkout, whose signature has no time. */
export const verifyCheckoutWebhook = async <Events>({
  body,
  headers,
  secret,
}: Delivered): Promise<Events[keyof Events]> => {
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(headers.get('x-checkout-signature') ?? '') ?? [];
  await requireSignature(secret, { text: body, signatures: hex ? [fromHex(hex)] : [] });
  return JSON.parse(body);
};

const ofService = (headers: Headers, body: string): Signed | undefined => {
  const [, timestamp, list = ''] =
    /^t=(\d+)((?:,v1=[0-9a-f]{64})+)$/.exec(headers.get('x-service-signature') ?? '') ?? [];
  return timestamp === undefined
    ? undefined
    : { timestamp, text: `${timestamp}.${body}`, signatures: list.split(',v1=').slice(1).map(fromHex) };
};

const ofStandardWebhooks = (headers: Headers, body: string): Signed | undefined => {
  const [id, timestamp, list] = ['id', 'timestamp', 'signature'].map((name) => headers.get(`webhook-${name}`));
  if (!id || !list || !timestamp || !/^\d+$/.test(timestamp)) return undefined;
  const signatures = list.split(' ').filter((each) => /^v1,[A-Za-z0-9+/]{43}=$/.test(each));
  return {
    timestamp,
    text: `${id}.${timestamp}.${body}`,
    signatures: signatures.map((each) => fromBase64(each.slice(3))),
  };
};

/** `verify` compares in constant time. */
const requireSignature = async (
  secret: string,
  { text, signatures }: Pick<Signed, 'text' | 'signatures'>,
): Promise<void> => {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify']);
  const verdicts = await Promise.all(
    signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, encoder.encode(text))),
  );
  if (!verdicts.includes(true)) throw new SignatureError('The signature does not fit the body.');
};

const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
