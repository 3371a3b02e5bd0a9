import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { newId } from '../../shared/kit/id.ts';
import { listedStatuses } from '../../shared/messages/message.ts';
import { type AcceptedMessage, newEmail } from '../../shared/messages/new-message.ts';
import { firstSpread } from '../../shared/messages/spread.ts';
import { messageItems } from '../../shared/table/messages/message-items.ts';
import { messageKeys } from '../../shared/table/messages/message-places.ts';
import { countConsumption } from '../consumption.ts';
import { type TestAccount, tableSpec, type World } from '../world.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const spacingMs = 100;
const perCall = 25;

/** Writes message rows directly, one every tenth of a second, in every status that can be listed. */
const fill = async (world: World, { ref }: TestAccount, messages: number): Promise<void> => {
  const document = DynamoDBDocumentClient.from(world.client, { marshallOptions: { removeUndefinedValues: true } });
  const cipher = await world.vault.unlock(ref);
  const place = (message: AcceptedMessage) => ({
    ...messageKeys(ref.id, firstSpread, message),
    accountId: ref.id,
    cipher,
  });
  const rowOf = (n: number) => {
    const message = newEmail({ channel: 'email', to: 'ada@example.com' }, newId(nowMs - n * spacingMs));
    const status = listedStatuses[n % listedStatuses.length] ?? 'sent';
    const owner = { origin: 'api', contactId: ref.id } as const;
    return { PutRequest: { Item: messageItems({ ...message, ...place(message) }, { ...message, status }, owner).row } };
  };
  for (let start = 0; start < messages; start += perCall) {
    const rows = Array.from({ length: Math.min(perCall, messages - start) }, (_, n) => rowOf(start + n));
    await document.send(new BatchWriteCommand({ RequestItems: { [tableSpec.name]: rows } }));
  }
};

/** The cost of the first page of GET /messages, by filter and by the number of messages in the account. */
export const benchMessages = async (world: World, sizes: readonly number[]) => {
  const consumption = countConsumption(world.client);
  const dated = { createdAfterMs: nowMs - 60_000, createdBeforeMs: nowMs - 30_000 };
  const filters = {
    unfiltered: {},
    'by channel': { channel: 'email' },
    'by status': { status: 'bounced' },
    'by channel and status': { channel: 'email', status: 'bounced' },
    'by dates': dated,
    'by channel, status and dates': { channel: 'email', status: 'bounced', ...dated },
  } as const;
  const rows: Record<string, Record<string, number>> = {};
  for (const messages of sizes) {
    const account = await world.newAccount();
    await fill(world, account, messages);
    for (const [asked, filter] of Object.entries(filters)) {
      const { units } = await consumption.of(() => world.messages.list(account.ref, filter, { limit: 21 }));
      rows[asked] = { ...rows[asked], [messages]: units };
    }
  }
  return rows;
};
