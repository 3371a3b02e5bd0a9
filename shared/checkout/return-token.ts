import { randomBytes } from 'node:crypto';
import { bytesOfId, idBytes, idOfBytes } from '../kit/id.ts';

const secretBytes = 19;
/** 35 bytes in base64url. */
const shape = /^[\w-]{47}$/;

/** An unguessable token of a payment, in the URL that the payer's browser returns to. */
export const makeReturnToken = (paymentId: string): string =>
  Buffer.concat([bytesOfId(paymentId), randomBytes(secretBytes)]).toString('base64url');

/** The payment that a token claims to be of. It is genuine if it is the payment's own. */
export const paymentIdOfToken = (token: string): string | undefined =>
  shape.test(token) ? idOfBytes(Buffer.from(token, 'base64url').subarray(0, idBytes)) : undefined;
