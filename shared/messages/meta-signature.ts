import { createHmac } from 'node:crypto';
import { isSameText } from '../kit/same-text.ts';

/** Whether Meta has signed this body (`X-Hub-Signature-256`): HMAC-SHA256 over its bytes, under the app's secret. */
export const isSignedByMeta = (appSecret: string, body: Uint8Array, signature = ''): boolean =>
  isSameText(signature, `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`);
