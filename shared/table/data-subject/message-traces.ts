import { isUnsent } from '../../messages/message.ts';
import { timelineOf } from '../../messages/timeline.ts';
import { eventNames, eventRules, eventsBetween } from '../../webhooks/events.ts';
import { eventIdOf } from '../../webhooks/payload.ts';
import { addressFingerprint } from '../contacts/contact-items.ts';
import { everyId } from '../every-id.ts';
import { partitions } from '../keys.ts';
import { before } from '../merged-rows.ts';
import { eraseWrites, type StoredMessage } from '../messages/message-items.ts';
import { openings } from '../messages/message-openings.ts';
import { placing } from '../messages/message-places.ts';
import { rowsTo } from '../messages/recipient-rows.ts';
import { scheduledStore } from '../messages/scheduled-store.ts';
import type { Item } from '../table.ts';
import { eventTraces, isAwaited } from './event-traces.ts';
import { type Address, type DataSubject, type Stores, type Trace, without } from './trace.ts';

const rowsAtOnce = 100;

const eventsOf = (message: StoredMessage) =>
  eventsBetween(undefined, message).map((name) => ({
    id: eventIdOf(message.id, name),
    happenedMs: Date.parse(eventRules[name].at(message) ?? message.createdAt),
  }));

/** The messages to a person, with their events and deliveries. */
export const messageTraces = ({ table, vault, spreads }: Stores) => {
  const { openAll } = openings(table, vault);
  const placeOf = placing(vault, spreads);
  const scheduled = scheduledStore(table, vault, spreads);
  const tracesOfEvents = eventTraces({ table, vault, spreads });

  async function* rowsOfAddress({ account, cipher }: DataSubject, address: Address): AsyncGenerator<Item[]> {
    const partition = partitions.messagesTo(account.id, addressFingerprint(cipher, address));
    for (let to: string | undefined = everyId.to; to !== undefined; ) {
      const { rows, last } = await rowsTo(table, partition, { ...everyId, to, limit: rowsAtOnce });
      yield rows;
      to = last && before(last);
    }
  }

  const known = (message: StoredMessage) => ({
    ...without(message, 'steps', 'reference', 'price', 'isUncertain', 'isHeld', 'claimedUntilMs', 'run'),
    credits: message.price.credits,
    timeline: timelineOf({ message, steps: message.steps, reference: message.reference }, []),
  });

  const scheduledTrace = async ({ account }: DataSubject, message: StoredMessage): Promise<Trace> => {
    const content = await scheduled.find(account, message);
    const attachments = content?.mail?.attachments.map(({ filename }) => filename);
    return {
      kind: 'scheduledMessage',
      holds: { ...known(message), text: content?.text, mail: content?.mail && { ...content.mail, attachments } },
      erase: async (nowMs) => {
        if (!(await scheduled.cancel(account, message, nowMs))) return false;
        await scheduled.retire(account, message.id, nowMs);
        return true;
      },
    };
  };

  const overTrace = (
    { account }: DataSubject,
    message: StoredMessage,
    { row, stored }: { readonly row: Item; readonly stored: ReadonlySet<string> },
  ): Trace => ({
    kind: 'message',
    holds: known(message),
    erase: async (nowMs) =>
      // While it waits or is being sent, its content is needed.
      !isUnsent(message.status) &&
      !eventsOf(message).some((event) => isAwaited(event, stored, nowMs)) &&
      (await table.transact(eraseWrites(await placeOf(account, message), row))) === undefined,
  });

  return async (subject: DataSubject): Promise<Trace[]> => {
    const traces: Trace[] = [];
    for (const address of subject.addresses)
      for await (const rows of rowsOfAddress(subject, address)) {
        const opened = (await openAll(subject.account, rows)).filter((each) => each !== undefined);
        const { traces: ofEvents, stored } = await tracesOfEvents(
          subject,
          opened.flatMap(({ message: { id } }) => eventNames.map((name) => eventIdOf(id, name))),
        );
        traces.push(...ofEvents);
        for (const { row, message } of opened)
          traces.push(
            message.isHeld ? await scheduledTrace(subject, message) : overTrace(subject, message, { row, stored }),
          );
      }
    return traces;
  };
};
