import type { DatabaseSync } from 'node:sqlite';
import { openCaughtDatabase } from './caught-database.ts';
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

export type MailSummary = Omit<CaughtMail, 'attachments'>;

export interface MailStore extends OutgoingStore<SesNotification> {
  /** Stores both durably, in one transaction. */
  add(mail: CaughtMail, raw: Uint8Array, outgoing?: Outgoing<SesNotification>): void;
  /** Oldest first. `to` is any recipient, case-insensitive; `since` is an ISO time. */
  list(filter: { to?: string | null; since?: string | null }): Iterable<CaughtMail>;
  newest(limit: number): MailSummary[];
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
  CREATE TABLE IF NOT EXISTS outgoing (messageId TEXT PRIMARY KEY, entry TEXT NOT NULL);
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
    newest: database.prepare('SELECT summary FROM mails ORDER BY position DESC LIMIT ?'),
    count: database.prepare('SELECT count(*) AS count FROM mails WHERE at >= ?'),
    atPosition: database.prepare('SELECT summary, attachments FROM mails WHERE position = ?'),
    find: database.prepare('SELECT summary, attachments FROM mails WHERE messageId = ?'),
    findTagged: database.prepare(
      "SELECT summary, attachments FROM mails WHERE summary ->> '$.tags.messageId' = ? ORDER BY position DESC LIMIT 1",
    ),
    raw: database.prepare('SELECT raw FROM mails WHERE messageId = ?'),
    clear: database.prepare('DELETE FROM mails'),
    outgoing: database.prepare('SELECT entry FROM outgoing'),
    saveOutgoing: database.prepare('INSERT OR REPLACE INTO outgoing (messageId, entry) VALUES (?, ?)'),
    forgetOutgoing: database.prepare('DELETE FROM outgoing WHERE messageId = ?'),
  };

  const saveOutgoing = (outgoing: Outgoing<SesNotification>) => {
    const { messageId, notifications } = outgoing;
    if (notifications.length === 0) statements.forgetOutgoing.run(messageId);
    else statements.saveOutgoing.run(messageId, JSON.stringify(outgoing));
  };

  return {
    add({ attachments, ...summary }, raw, outgoing) {
      const recipients = Object.values(summary.destination)
        .flat()
        .map((address) => address.toLowerCase());
      database.exec('BEGIN');
      try {
        statements.insert.run(
          summary.messageId,
          summary.at,
          JSON.stringify(recipients),
          JSON.stringify(summary),
          JSON.stringify(attachments),
          raw,
        );
        if (outgoing) saveOutgoing(outgoing);
        database.exec('COMMIT');
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    *list({ to = null, since = null }) {
      for (const { position } of statements.positions.all({ to: to?.toLowerCase() ?? null, since })) {
        const mail = readMailRow(statements.atPosition.get(position ?? null));
        if (mail) yield mail;
      }
    },
    newest: (limit) => statements.newest.all(limit).map(({ summary }) => JSON.parse(String(summary))),
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
    outgoing: () => statements.outgoing.all().map(({ entry }) => JSON.parse(String(entry))),
    saveOutgoing,
    close: () => database.close(),
  };
}

function readMailRow(row: ReturnType<ReturnType<DatabaseSync['prepare']>['get']>): CaughtMail | undefined {
  return row && { ...JSON.parse(String(row['summary'])), attachments: JSON.parse(String(row['attachments'])) };
}
