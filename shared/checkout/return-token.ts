import { randomBytes, timingSafeEqual } from 'node:crypto';

const idBytes = 16;
const secretBytes = 19;
/** 35 bytes in base64url. */
const shape = /^[\w-]{47}$/;

/** A token that names a payment and that nobody can guess: part of the address that the payer's browser comes back to. */
export const makeReturnToken = (paymentId: string): string =>
  Buffer.concat([Buffer.from(paymentId.replaceAll('-', ''), 'hex'), randomBytes(secretBytes)]).toString('base64url');

/** The payment that a token claims to be of. It is genuine if it is the payment's own. */
export const paymentIdOfToken = (token: string): string | undefined =>
  shape.test(token)
    ? Buffer.from(token, 'base64url')
        .toString('hex', 0, idBytes)
        .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : undefined;

export const isSameToken = (token: string, kept: string): boolean => {
  const [one, other] = [Buffer.from(token), Buffer.from(kept)];
  return one.length === other.length && timingSafeEqual(one, other);
};
