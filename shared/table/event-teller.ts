import type { Cipher } from '../kit/cipher.ts';
import type { EventName } from '../webhooks/events.ts';
import { eventBody, eventIdOf } from '../webhooks/payload.ts';
import { messageFrom } from './message-storage.ts';
import type { Item, Table } from './table.ts';

/** An event, with the item of what it happened to as it was then. */
export interface Happening {
  readonly name: string;
  readonly atMs: number;
  readonly item: Item;
}

/** What receivers are told of an event. Told again, it is the same to the letter. */
interface Told {
  readonly eventId: string;
  /** The raw body. */
  readonly payload: string;
}

/** Puts events into words, by what they happened to. */
export const eventTeller = (_table: Table) => {
  const ofMessage = async (accountId: string, cipher: Cipher, { name, atMs, item }: Happening): Promise<Told> => {
    const message = messageFrom(accountId, cipher, item);
    const event = name as EventName;
    return { eventId: eventIdOf(message.id, event), payload: eventBody(event, message, atMs) };
  };

  return ofMessage;
};
