import type { TextChannel } from '../../messages/message.ts';
import { appoint } from '../appointments.ts';
import { itemKeys } from '../keys.ts';
import type { Table } from '../table.ts';

/** Turns at an account's senders, which take only so many messages a second, known to all who send. */
export const textTurnStore = (table: Table) => ({
  /** Reserves the next free interval of a sender. Returns its start. */
  take: async (accountId: string, channel: TextChannel, lastsMs: number, nowMs: number): Promise<number> =>
    (await appoint(table, itemKeys.textTurn(accountId, channel), lastsMs, nowMs)) - lastsMs,

  /** The end of the last interval that was reserved; 0 when there was none. */
  freeAt: async (accountId: string, channel: TextChannel): Promise<number> =>
    Number((await table.get(itemKeys.textTurn(accountId, channel)))?.['nextMs'] ?? 0),
});

export type TextTurnStore = ReturnType<typeof textTurnStore>;
