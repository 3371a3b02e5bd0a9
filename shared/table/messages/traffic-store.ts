import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { timeOfId } from '../../kit/id.ts';
import { InternalError } from '../../kit/internal-error.ts';
import { type Channel, channels } from '../../messages/message.ts';
import { statusesBefore } from '../../messages/moves.ts';
import { type TrafficJob, trafficMessage } from '../../messages/traffic.ts';
import { numberedFields } from '../numbered-fields.ts';
import type { Table } from '../table.ts';
import { messageItems } from './message-items.ts';
import { messageKeys, placing } from './message-places.ts';
import type { SpreadStore } from './spread-store.ts';

/** Messages that sister services sent: listed and counted with the others, and without events of their own. */
export const trafficStore = (table: Table, vault: Vault, spreads: SpreadStore) => {
  /** Messages of other channels lie in other partitions. */
  const isOnOtherChannel = async (accountId: string, { id, channel }: TrafficJob): Promise<boolean> => {
    const spread = await spreads.of(accountId, timeOfId(id));
    const keyOn = (one: Channel) => messageKeys(accountId, spread, { id, channel: one }).item;
    const others = channels.map(keyOn).filter(({ PK }) => PK !== keyOn(channel).PK);
    return (await table.getAll(others)).some((item) => item !== undefined);
  };

  return {
    /**
     * Writes the message as it was reported. A message that has already moved further stays as it is.
     * @throws Error when the id belongs to a message of another origin or channel
     */
    record: async (account: AccountRef, job: TrafficJob): Promise<void> => {
      const { origin, channel, status } = job;
      const place = await placing(vault, spreads)(account, job);
      if (await isOnOtherChannel(account.id, job)) throw foreign(job);
      const { PK, SK, ...row } = messageItems(place, trafficMessage(job), { origin }).row;
      const { set, names, values } = numberedFields(Object.entries(row).filter(([, value]) => value !== undefined));
      const statuses = [...statusesBefore(channel, status), status].map((each, n) => [`:s${n}`, each] as const);
      const { done, item } = await table.update({
        Key: { PK, SK },
        UpdateExpression: `SET ${set}${row.GSI1PK === undefined ? ' REMOVE GSI1PK' : ''}`,
        ConditionExpression: `attribute_not_exists(PK) OR (#o = :origin AND #c = :channel AND #s IN (${statuses.map(([name]) => name).join()}))`,
        ExpressionAttributeNames: {
          ...names,
          '#o': 'origin',
          '#c': 'channel',
          '#s': 'status',
        },
        ExpressionAttributeValues: {
          ...values,
          ...Object.fromEntries(statuses),
          ':origin': origin,
          ':channel': channel,
        },
      });
      if (!done && (item?.['origin'] !== origin || item['channel'] !== channel)) throw foreign(job);
    },
  };
};

const foreign = ({ id }: TrafficJob) => new InternalError('the id belongs to another message', { messageId: id });

export type TrafficStore = ReturnType<typeof trafficStore>;
