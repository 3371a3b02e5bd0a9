import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { firstIdAt, isId, lastIdAt } from '../../kit/id.ts';
import type { Content } from '../../messages/content.ts';
import { type Channel, channels } from '../../messages/message.ts';
import { type Template, type TemplateBody, template } from '../../templates/template.ts';
import { type ItemKey, itemKeys, partitions } from '../keys.ts';
import type { Item, Table, Write } from '../table.ts';

/** A template with its content. */
export interface SendableTemplate {
  readonly template: Template;
  readonly content: Partial<Content>;
}

/** An item holds 400 KB. Nearly every body fits one part; only what hardly compresses needs more. */
const mostPartCharacters = 300_000;

const rowPlace = (accountId: string, id: string) => `${itemKeys.template(accountId, id).PK}/${id}/sealed`;
const partPlace = ({ PK, SK }: ItemKey) => `${PK}/${SK}/sealed`;

const packed = (body: TemplateBody): string =>
  brotliCompressSync(JSON.stringify(body), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).toString('base64');
const unpacked = (text: string): TemplateBody =>
  JSON.parse(brotliDecompressSync(Buffer.from(text, 'base64')).toString('utf8'));

const templateFrom = (accountId: string, cipher: Cipher, row: Item): Template =>
  template.parse(JSON.parse(cipher.open(rowPlace(accountId, String(row['SK'])), row['sealed'] as Uint8Array)));

/** The listed row, then the parts of the body. */
const itemsOf = (accountId: string, cipher: Cipher, stored: Template, body: TemplateBody): Item[] => {
  const text = packed(body);
  const parts = Array.from({ length: Math.ceil(text.length / mostPartCharacters) }, (_, part) => {
    const key = itemKeys.templateBody(accountId, stored.id, part);
    const piece = text.slice(part * mostPartCharacters, (part + 1) * mostPartCharacters);
    return { ...key, entity: 'template-body', sealed: cipher.seal(partPlace(key), piece) };
  });
  const row = {
    ...itemKeys.template(accountId, stored.id),
    entity: 'template',
    channel: stored.channel,
    parts: parts.length,
    sealed: cipher.seal(rowPlace(accountId, stored.id), JSON.stringify(stored)),
  };
  return [row, ...parts];
};

/** What a send reads of a template in its one read: the row and the first part of the body, which mostly is all of it. */
export const sendableKeys = (accountId: string, id: string): [row: ItemKey, firstPart: ItemKey] => [
  itemKeys.template(accountId, id),
  itemKeys.templateBody(accountId, id, 0),
];

/** The template that was found under `sendableKeys`; further parts are read here. */
export const sendableFrom = async (
  table: Table,
  accountId: string,
  cipher: Cipher,
  row: Item,
  firstPart: Item | undefined,
): Promise<SendableTemplate> => {
  const found = templateFrom(accountId, cipher, row);
  const keys = Array.from({ length: Number(row['parts']) }, (_, part) =>
    itemKeys.templateBody(accountId, found.id, part),
  );
  const parts = [firstPart, ...(await table.getAll(keys.slice(1)))];
  const text = keys.map((key, part) => cipher.open(partPlace(key), parts[part]?.['sealed'] as Uint8Array)).join('');
  return { template: found, content: { subject: found.subject, ...unpacked(text) } };
};

const byUpdate = (a: Template, b: Template): number => (`${a.updatedAt}#${a.id}` < `${b.updatedAt}#${b.id}` ? 1 : -1);

/** Templates: their rows, and separately their content. */
export const templateStore = (table: Table, vault: Vault) => {
  const open = async (account: AccountRef) => {
    const cipher = await vault.unlock(account);
    return (row: Item) => templateFrom(account.id, cipher, row);
  };

  return {
    /** Writes a new template, and keeps the one of an earlier attempt with the same id. Returns the stored one. */
    create: async (account: AccountRef, created: Template, body: TemplateBody): Promise<Template> => {
      const [row, ...parts] = itemsOf(account.id, await vault.unlock(account), created, body);
      const refused = await table.transact([
        { Put: { Item: { ...row }, ConditionExpression: 'attribute_not_exists(PK)' } },
        ...parts.map((part): Write => ({ Put: { Item: { ...part } } })),
      ]);
      const existing = refused?.failed[0]?.item;
      return existing ? (await open(account))(existing) : created;
    },

    /** Writes a synced template, new or known. */
    put: async (account: AccountRef, synced: Template, body: TemplateBody): Promise<void> => {
      const items = itemsOf(account.id, await vault.unlock(account), synced, body);
      await table.transact(items.map((item) => ({ Put: { Item: { ...item } } })));
    },

    /** These templates with all that they say; those that are not there are left out. */
    findAll: async (account: AccountRef, ids: readonly string[]): Promise<SendableTemplate[]> => {
      const cipher = await vault.unlock(account);
      const items = await table.getAll(ids.flatMap((id) => sendableKeys(account.id, id)));
      const found = ids.flatMap((_, n) => {
        const [row, firstPart] = items.slice(2 * n, 2 * n + 2);
        return row ? [sendableFrom(table, account.id, cipher, row, firstPart)] : [];
      });
      return Promise.all(found);
    },

    find: async (account: AccountRef, id: string): Promise<Template | undefined> => {
      const row = isId(id) ? await table.get(itemKeys.template(account.id, id)) : undefined;
      return row && (await open(account))(row);
    },

    /** All templates of the account, or of one channel: channel by channel, in each the newest-updated first. */
    list: async (account: AccountRef, channel?: Channel): Promise<Template[]> => {
      const rows = await table.query(partitions.templates(account.id), {
        from: firstIdAt(0),
        to: lastIdAt(Number.MAX_SAFE_INTEGER),
        newestFirst: true,
      });
      const template = await open(account);
      return (channel === undefined ? channels : [channel]).flatMap((wanted) =>
        rows
          .filter((row) => row['channel'] === wanted)
          .map(template)
          .sort(byUpdate),
      );
    },
  };
};

export type TemplateStore = ReturnType<typeof templateStore>;
