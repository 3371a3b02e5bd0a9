import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether Meta has signed this body (`X-Hub-Signature-256`): HMAC-SHA256 over its bytes, under the app's secret. */
export const isSignedByMeta = (appSecret: string, body: Uint8Array, signature = ''): boolean => {
  const genuine = Buffer.from(`sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`);
  const given = Buffer.from(signature);
  return given.length === genuine.length && timingSafeEqual(given, genuine);
};
