import { pauseAfter } from '../../aws/aws-retry.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { isId } from '../../kit/id.ts';
import { InternalError } from '../../kit/internal-error.ts';
import { type Channel, channels } from '../../messages/message.ts';
import {
  mostVersions,
  type Template,
  type TemplateBody,
  type TemplateVersion,
  template,
  versionFrom,
  type WholeTemplate,
} from '../../templates/template.ts';
import { everyId } from '../every-id.ts';
import { type ItemKey, itemKeys, partitions } from '../keys.ts';
import { packed, unpacked } from '../packed.ts';
import { sealedPlace } from '../sealed-place.ts';
import type { Item, Table, Write } from '../table.ts';
import { putNew } from '../writes.ts';

/** How often a template is read. What one transaction writes, DynamoDB may show a moment apart. */
const mostReads = 5;

/** Where a template lies: as it is, or as it was in an earlier version. */
interface Shelf {
  readonly row: ItemKey;
  /** What the row is sealed for. */
  readonly rowPlace: string;
  readonly part: (part: number) => ItemKey;
}

const current = (accountId: string, id: string): Shelf => {
  const row = itemKeys.template(accountId, id);
  return { row, rowPlace: `${row.PK}/${id}/sealed`, part: (part) => itemKeys.templateBody(accountId, id, part) };
};

const past = (accountId: string, id: string, version: number): Shelf => {
  const row = itemKeys.templateVersion(accountId, id, version);
  return {
    row,
    rowPlace: sealedPlace(row, 'sealed'),
    part: (part) => itemKeys.templateVersionBody(accountId, id, version, part),
  };
};

const templateFrom = (shelf: Shelf, cipher: Cipher, row: Item): Template =>
  template.parse(JSON.parse(cipher.open(shelf.rowPlace, row['sealed'])));

/** A template that was never changed has its first version. */
const versionOf = (item: Item): number => Number(item['version'] ?? 1);

const isSameVersion = (one: Item | undefined, other: Item): boolean =>
  one !== undefined && versionOf(one) === versionOf(other);

/** An archived template can be neither found nor sent. */
export const isArchived = (row: Item): boolean => row['archived'] === true;

/** The row, then the parts of the body. */
const itemsOf = (
  shelf: Shelf,
  cipher: Cipher,
  { template, content: { html, text } }: WholeTemplate,
  version = 1,
): Item[] => {
  const body: TemplateBody = { html, text };
  const parts = packed(JSON.stringify(body)).map((piece, part) => {
    const key = shelf.part(part);
    return { ...key, entity: 'template-body', version, sealed: cipher.seal(sealedPlace(key, 'sealed'), piece) };
  });
  const row = {
    ...shelf.row,
    entity: 'template',
    channel: template.channel,
    parts: parts.length,
    version,
    sealed: cipher.seal(shelf.rowPlace, JSON.stringify(template)),
  };
  return [row, ...parts];
};

/** What a send reads of a template in its one read: the row and the first part of the body, which mostly is all of it. */
export const sendableKeys = (accountId: string, id: string): [row: ItemKey, firstPart: ItemKey] => {
  const { row, part } = current(accountId, id);
  return [row, part(0)];
};

/** A template, and the row that it was read from. */
interface Found {
  readonly row: Item;
  readonly whole: WholeTemplate;
}

/** A template from its row and the first part of its body. Further parts are read here, and all again while they are not of one version. */
const wholeFrom = async (
  table: Table,
  shelf: Shelf,
  cipher: Cipher,
  row: Item,
  firstPart: Item | undefined,
  reads = 1,
): Promise<Found> => {
  const found = templateFrom(shelf, cipher, row);
  const keys = Array.from({ length: Number(row['parts']) }, (_, part) => shelf.part(part));
  const parts = [firstPart, ...(await table.getAll(keys.slice(1)))];
  if (parts.some((part) => !isSameVersion(part, row))) {
    if (reads === mostReads) throw new InternalError('a template is not whole', { ...shelf.row });
    await pauseAfter(reads);
    const [rowNow = row, firstPartNow] = await table.getAll([shelf.row, shelf.part(0)]);
    return wholeFrom(table, shelf, cipher, rowNow, firstPartNow, reads + 1);
  }
  const pieces = keys.map((key, part) => cipher.open(sealedPlace(key, 'sealed'), parts[part]?.['sealed']));
  const body: TemplateBody = JSON.parse(unpacked(pieces));
  return { row, whole: { template: found, content: { subject: found.subject, ...body } } };
};

/** The template that was found under `sendableKeys`. */
export const sendableFrom = async (
  table: Table,
  accountId: string,
  cipher: Cipher,
  row: Item,
  firstPart: Item | undefined,
): Promise<WholeTemplate> =>
  (await wholeFrom(table, current(accountId, String(row['SK'])), cipher, row, firstPart)).whole;

const byUpdate = (a: Template, b: Template): number => (`${a.updatedAt}#${a.id}` < `${b.updatedAt}#${b.id}` ? 1 : -1);

const put = (item: Item): Write => ({ Put: { Item: item } });

/** Templates: their rows, and separately their content, as they are and as they were before each change. */
export const templateStore = (table: Table, vault: Vault) => {
  const open = async (account: AccountRef) => {
    const cipher = await vault.unlock(account);
    return (row: Item) => templateFrom(current(account.id, String(row['SK'])), cipher, row);
  };

  /** The row of a template that is not archived, and what it says. */
  const read = async (account: AccountRef, id: string) => {
    const [row, firstPart] = isId(id) ? await table.getAll(sendableKeys(account.id, id)) : [];
    if (!row || isArchived(row)) return undefined;
    return wholeFrom(table, current(account.id, id), await vault.unlock(account), row, firstPart);
  };

  /** An earlier version: a change keeps it, and may itself be seen first. */
  const readVersion = async (
    account: AccountRef,
    id: string,
    version: number,
    reads = 1,
  ): Promise<WholeTemplate | undefined> => {
    const shelf = past(account.id, id, version);
    const [row, firstPart] = await table.getAll([shelf.row, shelf.part(0)]);
    if (row) return (await wholeFrom(table, shelf, await vault.unlock(account), row, firstPart)).whole;
    if (reads === mostReads) return undefined;
    await pauseAfter(reads);
    return readVersion(account, id, version, reads + 1);
  };

  /**
   * Replaces a template by what `changed` makes of it, and keeps the earlier content as a version. Undefined: there is no template.
   * `changed` is called again when another change came first; it returns the same object for no change.
   */
  const change = async (
    account: AccountRef,
    id: string,
    changed: (before: WholeTemplate) => WholeTemplate,
  ): Promise<Template | undefined> => {
    const found = await read(account, id);
    if (!found) return undefined;
    const after = changed(found.whole);
    if (after === found.whole) return after.template;
    const cipher = await vault.unlock(account);
    const [version, shelf] = [versionOf(found.row), current(account.id, id)];
    const [row, ...parts] = itemsOf(shelf, cipher, after, version + 1);
    const surplus = Array.from({ length: Math.max(Number(found.row['parts']) - parts.length, 0) }, (_, n) =>
      shelf.part(parts.length + n),
    );
    const refused = await table.transact([
      {
        Put: {
          Item: row,
          ConditionExpression: `(version = :version${version === 1 ? ' OR attribute_not_exists(version)' : ''}) AND attribute_exists(PK) AND attribute_not_exists(archived)`,
          ExpressionAttributeValues: { ':version': version },
        },
      },
      ...[...parts, ...itemsOf(past(account.id, id, version), cipher, found.whole, version)].map(put),
      ...surplus.map((Key): Write => ({ Delete: { Key } })),
    ]);
    return refused ? change(account, id, changed) : after.template;
  };

  /** Writes a new template, and keeps the one of an earlier attempt with the same id. Returns the stored one. */
  const create = async (account: AccountRef, created: Template, body: TemplateBody): Promise<Template> => {
    const whole = { template: created, content: body };
    const [row, ...parts] = itemsOf(current(account.id, created.id), await vault.unlock(account), whole);
    const refused = await table.transact([putNew({ ...row }), ...parts.map(put)]);
    const existing = refused?.failed[0]?.item;
    return existing ? (await open(account))(existing) : created;
  };

  return {
    create,

    /** Writes a synced template: a new one, or the next version of a known one. False: it was changed, or made, since it was `known`. */
    put: async (account: AccountRef, synced: Template, body: TemplateBody, known?: Template): Promise<boolean> => {
      if (!known) return (await create(account, synced, body)) === synced;
      let isKnown = false;
      await change(account, synced.id, (before) => {
        isKnown = before.template.updatedAt === known.updatedAt;
        return isKnown ? { template: synced, content: body } : before;
      });
      return isKnown;
    },

    change,

    /** Since when the templates were as Meta has them, by the last sync. */
    syncedMs: async (account: AccountRef): Promise<number> =>
      Number((await table.get(itemKeys.templateSync(account.id)))?.['atMs'] ?? 0),

    /** Keeps when a sync began that left nothing to change: one small row, because most syncs confirm what is known of every template. */
    keepSynced: (account: AccountRef, atMs: number): Promise<void> =>
      table.put({ Item: { ...itemKeys.templateSync(account.id), entity: 'template-sync', account: account.id, atMs } }),

    /** A template that is archived can be neither found nor sent; its versions stay in the table. False: there is none. */
    archive: async (account: AccountRef, id: string): Promise<boolean> => {
      const { done } = await table.update({
        Key: itemKeys.template(account.id, id),
        UpdateExpression: 'SET archived = :archived',
        ConditionExpression: 'attribute_exists(PK) AND attribute_not_exists(archived)',
        ExpressionAttributeValues: { ':archived': true },
      });
      return done;
    },

    /** The latest versions of a template, the last one first. Undefined: there is no such template. */
    versions: async (account: AccountRef, id: string): Promise<TemplateVersion[] | undefined> => {
      const row = isId(id) ? await table.get(itemKeys.template(account.id, id)) : undefined;
      if (!row || isArchived(row)) return undefined;
      const earlier = await table.query(partitions.templateVersions(account.id, id), {
        from: itemKeys.templateVersion(account.id, id, 0).SK,
        to: itemKeys.templateVersion(account.id, id, versionOf(row) - 1).SK,
        newestFirst: true,
        limit: mostVersions - 1,
      });
      const cipher = await vault.unlock(account);
      return [
        versionFrom(versionOf(row), templateFrom(current(account.id, id), cipher, row)),
        ...earlier.map((item) => {
          const version = versionOf(item);
          return versionFrom(version, templateFrom(past(account.id, id, version), cipher, item));
        }),
      ];
    },

    /** A template with what it says, as it is or as it was in a version. Undefined: there is none. */
    findWhole: async (account: AccountRef, id: string, version?: number): Promise<WholeTemplate | undefined> => {
      const found = await read(account, id);
      if (!found || version === undefined) return found?.whole;
      const last = versionOf(found.row);
      if (version === last) return found.whole;
      return version < last ? readVersion(account, id, version) : undefined;
    },

    /** These templates with all that they say; those that are not there are left out. */
    findAll: async (account: AccountRef, ids: readonly string[]): Promise<WholeTemplate[]> => {
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
      return row && !isArchived(row) ? (await open(account))(row) : undefined;
    },

    /** All templates of the account, or of one channel: channel by channel, in each the newest-updated first. */
    list: async (account: AccountRef, channel?: Channel): Promise<Template[]> => {
      const rows = await table.query(partitions.templates(account.id), { ...everyId, newestFirst: true });
      const template = await open(account);
      return (channel === undefined ? channels : [channel]).flatMap((wanted) =>
        rows
          .filter((row) => row['channel'] === wanted && !isArchived(row))
          .map(template)
          .sort(byUpdate),
      );
    },
  };
};

export type TemplateStore = ReturnType<typeof templateStore>;
