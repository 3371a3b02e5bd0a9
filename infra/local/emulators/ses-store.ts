import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { atomically } from './atomically.ts';
import { likePatterns, openCaughtDatabase, outgoingIn, versionOf } from './caught-database.ts';
import type { Outgoing, OutgoingStore } from './publisher.ts';
import type { MailContent } from './ses-mail.ts';
import type { SesNotification } from './ses-notification.ts';

/** A mail as `GET /store` shows it. */
export interface CaughtMail extends MailContent {
  readonly messageId: string;
  readonly at: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly configurationSetName: string | null;
}

/** A mail in the inbox's list. */
export interface MailEntry {
  readonly messageId: string;
  readonly at: string;
  readonly from: string;
  readonly subject: string;
  readonly recipients: readonly string[];
  /** The beginning of its text. */
  readonly beginning: string;
  readonly hasAttachments: boolean;
}

export interface MailStore extends OutgoingStore<SesNotification> {
  /** Stores both durably, in one transaction. */
  add(mail: CaughtMail, raw: Uint8Array, outgoing?: Outgoing<SesNotification>): void;
  /** Oldest first. `to` is any recipient, case-insensitive; `since` is an ISO time. */
  list(filter: { to?: string | null; since?: string | null }): Iterable<CaughtMail>;
  /** Newest first: mails that contain all words, in any letter case. */
  search(words: readonly string[], limit: number): MailEntry[];
  /** Changes whenever something is written. */
  version(): string;
  countSince(time: string): number;
  find(messageId: string): CaughtMail | undefined;
  /** By the id that the sender gave it. */
  findTagged(messageId: string): CaughtMail | undefined;
  raw(messageId: string): Uint8Array | undefined;
  clear(): void;
  close(): void;
}

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS mails (
    position INTEGER PRIMARY KEY,
    messageId TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,
    recipients TEXT NOT NULL,
    summary TEXT NOT NULL,
    attachments TEXT NOT NULL,
    raw BLOB NOT NULL
  );
`;

/** Caught mails and pending notifications, in `ses.sqlite`. */
export function openMailStore(dataDirectory: string): MailStore {
  const database = openCaughtDatabase(dataDirectory, { name: 'ses.sqlite', caught: 'Caught mail', schema });
  const statements = {
    insert: database.prepare(
      'INSERT INTO mails (messageId, at, recipients, summary, attachments, raw) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    positions: database.prepare(`
      SELECT position FROM mails
      WHERE (:to IS NULL OR EXISTS (SELECT 1 FROM json_each(recipients) WHERE value = :to))
        AND (:since IS NULL OR at >= :since)
      ORDER BY position`),
    search: database.prepare(`
      SELECT messageId, at, recipients, summary ->> '$.from' AS sender, summary ->> '$.subject' AS subject,
        substr(summary ->> '$.body.text', 1, 160) AS beginning, octet_length(attachments) > 2 AS hasAttachments
      FROM mails
      WHERE NOT EXISTS (
        SELECT 1 FROM json_each(:words)
        WHERE concat_ws(' ', messageId, recipients, summary ->> '$.from', summary ->> '$.subject', summary ->> '$.body.text',
          summary ->> '$.body.html', summary ->> '$.tags') NOT LIKE value ESCAPE '\\')
      ORDER BY position DESC LIMIT :limit`),
    version: database.prepare('SELECT total_changes() AS count'),
    count: database.prepare('SELECT count(*) AS count FROM mails WHERE at >= ?'),
    atPosition: database.prepare('SELECT summary, attachments FROM mails WHERE position = ?'),
    find: database.prepare('SELECT summary, attachments FROM mails WHERE messageId = ?'),
    findTagged: database.prepare(
      "SELECT summary, attachments FROM mails WHERE summary ->> '$.tags.messageId' = ? ORDER BY position DESC LIMIT 1",
    ),
    raw: database.prepare('SELECT raw FROM mails WHERE messageId = ?'),
    clear: database.prepare('DELETE FROM mails'),
  };

  const outgoingStore = outgoingIn<SesNotification>(database);

  return {
    add({ attachments, ...summary }, raw, outgoing) {
      const recipients = Object.values(summary.destination)
        .flat()
        .map((address) => address.toLowerCase());
      atomically(database, () => {
        statements.insert.run(
          summary.messageId,
          summary.at,
          JSON.stringify(recipients),
          JSON.stringify(summary),
          JSON.stringify(attachments),
          raw,
        );
        if (outgoing) outgoingStore.saveOutgoing(outgoing);
      });
    },
    *list({ to = null, since = null }) {
      for (const { position } of statements.positions.all({ to: to?.toLowerCase() ?? null, since })) {
        const mail = readMailRow(statements.atPosition.get(position ?? null));
        if (mail) yield mail;
      }
    },
    search: (words, limit) => statements.search.all({ words: likePatterns(words), limit }).map(readEntry),
    version: versionOf(statements.version),
    countSince: (time) => Number(statements.count.get(time)?.['count']),
    find: (messageId) => readMailRow(statements.find.get(messageId)),
    findTagged: (messageId) => readMailRow(statements.findTagged.get(messageId)),
    raw: (messageId) => {
      const raw = statements.raw.get(messageId)?.['raw'];
      return raw instanceof Uint8Array ? raw : undefined;
    },
    clear: () => {
      statements.clear.run();
    },
    ...outgoingStore,
    close: () => database.close(),
  };
}

const readEntry = (row: Record<string, SQLOutputValue>): MailEntry => ({
  messageId: String(row['messageId']),
  at: String(row['at']),
  from: String(row['sender']),
  subject: String(row['subject']),
  recipients: JSON.parse(String(row['recipients'])),
  beginning: String(row['beginning'] ?? ''),
  hasAttachments: row['hasAttachments'] === 1,
});

function readMailRow(row: ReturnType<ReturnType<DatabaseSync['prepare']>['get']>): CaughtMail | undefined {
  return row && { ...JSON.parse(String(row['summary'])), attachments: JSON.parse(String(row['attachments'])) };
}
