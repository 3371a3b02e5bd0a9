import type { HttpGatewaySettings } from '../accounts/provider-settings.ts';
import { digestOf } from '../kit/digest.ts';
import { textAt } from '../kit/json-pointer.ts';
import { knownPhone } from './recipient.ts';

/** A gateway that gives no id repeats a message within this time, if at all. */
const repeatMs = 60_000;

/**
 * An inbound sms, read according to the account's settings; undefined without a sender's number. Without an id from the gateway, the same
 * text of the same sender within a minute is one message.
 */
export const inboundSmsIn = (
  document: unknown,
  pointers: NonNullable<HttpGatewaySettings['inbound']>,
  nowMs: number,
) => {
  const from = knownPhone(textAt(document, pointers.from)?.trim() ?? '');
  if (from === undefined) return undefined;
  const text = textAt(document, pointers.text) ?? '';
  const minute = Math.floor(nowMs / repeatMs);
  const givenId = pointers.id === undefined ? undefined : textAt(document, pointers.id);
  const id = digestOf(JSON.stringify(givenId === undefined ? [from, text, minute] : [givenId]));
  return { channel: 'sms' as const, from, text, atMs: nowMs, id };
};
