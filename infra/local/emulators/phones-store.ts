import type { SQLOutputValue } from 'node:sqlite';
import { atomically } from './atomically.ts';
import { likePatterns, openCaughtDatabase, outgoingIn, versionOf } from './caught-database.ts';
import type { TextChannel, TextNews } from './phones-outcomes.ts';
import type { Outgoing, OutgoingStore } from './publisher.ts';

/** A text as `GET /texts` shows it. */
export interface CaughtText {
  /** The provider's id. */
  readonly id: string;
  readonly channel: TextChannel;
  readonly to: string;
  readonly from: string;
  readonly text: string;
  /** The sender's id, if it gave one. */
  readonly messageId: string;
  /** `accepted`, then the latest reported status. */
  readonly status: string;
  readonly at: string;
}

export interface StoredText extends CaughtText {
  /** Sent back to the sender with each status of a WhatsApp message; empty for sms. */
  readonly callbackData: string;
  /** Receives its notifications: a path of the API, whose port may change at a restart. */
  readonly reportPath: string;
}

/** What a phone wrote to an account. */
export interface PhoneReply {
  readonly id: string;
  readonly channel: TextChannel;
  readonly from: string;
  readonly text: string;
  readonly at: string;
}

/** A phone in the list, with the latest of its texts that were looked for. */
export interface PhoneEntry extends Pick<CaughtText, 'channel' | 'text' | 'at'> {
  readonly phone: string;
  readonly isReply: boolean;
}

/** Submits a text to its provider, and returns the outcome. */
export type TakeText = (
  text: Omit<StoredText, 'id' | 'status' | 'at'>,
) => 'refused' | 'overloaded' | { readonly id: string };

export interface TextStore extends OutgoingStore<TextNews> {
  /** Both are stored durably when this returns. */
  add(text: StoredText, outgoing: Outgoing<TextNews>): void;
  find(id: string): StoredText | undefined;
  /** The last text of a message. */
  findMessage(messageId: string): StoredText | undefined;
  findSms(messageId: string): StoredText | undefined;
  setStatus(id: string, status: string): void;
  /** Newest first. */
  list(limit: number): StoredText[];
  /** The phone that wrote or received the latest text first: phones with a text that contains all words, in any letter case. */
  phones(words: readonly string[], limit: number): PhoneEntry[];
  /** The latest texts to and from a phone, oldest first. */
  conversation(phone: string, limit: number): (StoredText | PhoneReply)[];
  addReply(reply: PhoneReply): void;
  /** Changes whenever something is written. */
  version(): string;
  /** Counts this attempt, and returns the number of attempts at this message. */
  countTries(messageId: string): number;
  close(): void;
}

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS texts (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    channel TEXT NOT NULL,
    messageId TEXT NOT NULL,
    status TEXT NOT NULL,
    entry TEXT NOT NULL
  );
  CREATE UNIQUE INDEX IF NOT EXISTS smsOnce ON texts (messageId) WHERE channel = 'sms';
  CREATE INDEX IF NOT EXISTS byPhone ON texts (entry ->> '$.to');
  CREATE TABLE IF NOT EXISTS replies (position INTEGER PRIMARY KEY, phone TEXT NOT NULL, entry TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS repliesByPhone ON replies (phone);
  CREATE TABLE IF NOT EXISTS tries (messageId TEXT PRIMARY KEY, count INTEGER NOT NULL);
`;

/** Caught texts and their pending notifications, in `phones.sqlite`. */
export function openTextStore(dataDirectory: string): TextStore {
  const database = openCaughtDatabase(dataDirectory, { name: 'phones.sqlite', caught: 'Caught texts', schema });
  const statements = {
    insert: database.prepare('INSERT INTO texts (id, channel, messageId, status, entry) VALUES (?, ?, ?, ?, ?)'),
    find: database.prepare('SELECT entry, status FROM texts WHERE id = ?'),
    findSms: database.prepare("SELECT entry, status FROM texts WHERE messageId = ? AND channel = 'sms'"),
    findMessage: database.prepare('SELECT entry, status FROM texts WHERE messageId = ? ORDER BY position DESC LIMIT 1'),
    setStatus: database.prepare('UPDATE texts SET status = ? WHERE id = ?'),
    list: database.prepare('SELECT entry, status FROM texts ORDER BY position DESC LIMIT ?'),
    phones: database.prepare(`
      WITH said AS (
        SELECT entry ->> '$.to' AS phone, entry ->> '$.from' AS sender, entry, 0 AS isReply FROM texts
        UNION ALL SELECT phone, '' AS sender, entry, 1 AS isReply FROM replies)
      SELECT phone, entry ->> '$.channel' AS channel, entry ->> '$.text' AS text, isReply, max(entry ->> '$.at') AS at FROM said
      WHERE NOT EXISTS (
        SELECT 1 FROM json_each(:words)
        WHERE concat_ws(' ', phone, sender, entry ->> '$.channel', entry ->> '$.text', entry ->> '$.messageId') NOT LIKE value ESCAPE '\\')
      GROUP BY phone ORDER BY at DESC LIMIT :limit`),
    conversation: database.prepare(`
      SELECT * FROM (
        SELECT entry, status, entry ->> '$.at' AS at, position FROM texts WHERE entry ->> '$.to' = :phone
        UNION ALL SELECT entry, NULL, entry ->> '$.at' AS at, position FROM replies WHERE phone = :phone
        ORDER BY at DESC, position DESC LIMIT :limit)
      ORDER BY at, position`),
    addReply: database.prepare('INSERT INTO replies (phone, entry) VALUES (?, ?)'),
    version: database.prepare('SELECT total_changes() AS count'),
    countTry: database.prepare(
      'INSERT INTO tries VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count',
    ),
  };

  const outgoingStore = outgoingIn<TextNews>(database);

  return {
    add(text, outgoing) {
      const { id, channel, messageId, status } = text;
      atomically(database, () => {
        statements.insert.run(id, channel, messageId, status, JSON.stringify(text));
        outgoingStore.saveOutgoing(outgoing);
      });
    },
    find: (id) => statements.find.all(id).map(readTextRow)[0],
    findMessage: (messageId) => statements.findMessage.all(messageId).map(readTextRow)[0],
    findSms: (messageId) => statements.findSms.all(messageId).map(readTextRow)[0],
    setStatus: (id, status) => {
      statements.setStatus.run(status, id);
    },
    list: (limit) => statements.list.all(limit).map(readTextRow),
    phones: (words, limit) => statements.phones.all({ words: likePatterns(words), limit }).map(readPhoneRow),
    conversation: (phone, limit) => statements.conversation.all({ phone, limit }).map(readSaid),
    addReply: (reply) => {
      statements.addReply.run(reply.from, JSON.stringify(reply));
    },
    version: versionOf(statements.version),
    countTries: (messageId) => Number(statements.countTry.get(messageId)?.['count']),
    ...outgoingStore,
    close: () => database.close(),
  };
}

const readTextRow = ({ entry, status }: Record<string, SQLOutputValue>): StoredText => ({
  ...JSON.parse(String(entry)),
  status: String(status),
});

const readSaid = (row: Record<string, SQLOutputValue>): StoredText | PhoneReply =>
  row['status'] === null ? JSON.parse(String(row['entry'])) : readTextRow(row);

const readPhoneRow = ({ phone, channel, text, isReply, at }: Record<string, SQLOutputValue>): PhoneEntry => ({
  phone: String(phone),
  channel: channel === 'whatsapp' ? 'whatsapp' : 'sms',
  text: String(text),
  isReply: isReply === 1,
  at: String(at),
});
