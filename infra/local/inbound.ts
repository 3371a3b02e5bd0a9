import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { inboundNotification } from './emulators/phones-meta.ts';
import type { RunningStack } from './running-stack.ts';

export interface Inbound {
  readonly channel: 'sms' | 'whatsapp';
  readonly from: string;
  readonly text: string;
}

const callbackUrls = z.object({ data: z.object({ smsInbound: z.string() }) });

/**
 * Plays a text that a phone writes to an account, as its provider reports it: an HTTP gateway calls the account's own URL, Meta signs.
 * Returns the status of the answer.
 */
export const playInbound = async (
  { adminBaseUrl, adminToken, checkoutBaseUrl }: RunningStack,
  accountId: string,
  { channel, from, text }: Inbound,
): Promise<number> => {
  if (channel === 'whatsapp') {
    const url = `${checkoutBaseUrl}/callbacks/whatsapp/${accountId}`;
    return (await fetch(url, { method: 'POST', ...inboundNotification({ from, text }, Date.now()) })).status;
  }
  const urls = await fetch(`${adminBaseUrl}/accounts/${accountId}/callback-urls`, {
    headers: { authorization: `Bearer ${adminToken}` },
  });
  const { smsInbound } = callbackUrls.parse(await urls.json()).data;
  const answer = await fetch(smsInbound, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: randomUUID(), from, text }),
  });
  return answer.status;
};
