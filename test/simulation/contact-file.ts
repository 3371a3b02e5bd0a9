import type { Random } from './random.ts';

/** What a row of a file says of its contact. */
export interface RowDetails {
  readonly email: string | null;
  readonly phone: string | null;
  readonly firstName: string | null;
  readonly tags: readonly string[];
  readonly source: string | null;
}

/** A row, with the line that it begins on, and what it says, if it is valid. */
export interface FileRow {
  readonly line: number;
  readonly details: RowDetails | undefined;
}

/** A file of contacts. One that is not usable makes no contact. */
export interface ContactFile {
  readonly text: string;
  readonly rows: readonly FileRow[];
  readonly isUsable: boolean;
}

/** What the custom fields of a row's contact say. */
export interface Origin {
  readonly import: string;
  readonly file: number;
  readonly row: number;
}

/** The source of most contacts of files, by which they can be listed. */
export const usualSource = 'file';

const columns = 'email,phone,firstName,tags,source,customFields';
const names = ['Ada', 'Lovelace, Ada', 'Grace "Amazing" Hopper', '=1+1', 'Émile'] as const;
const sources = [usualSource, usualSource, usualSource, 'fair\nBerlin'] as const;
const badHeaders = ['', 'email,name', 'firstName,source', 'email,email', '"email'] as const;

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const cellOf = (text: string): string => (/[",\r\n]/.test(text) ? quoted(text) : text);

/** Some addresses are those of messages, of clerks, and of other rows. */
const emailFrom = (chance: Random): string =>
  chance.pick([
    `row${chance.below(12)}@example.com`,
    `row${chance.below(12)}@example.com`,
    `Row${chance.below(12)}@Example.com`,
    `ada${chance.below(3)}@example.com`,
    `grace${chance.below(4)}@example.com`,
  ]);

const detailsFrom = (chance: Random): RowDetails => {
  const hasEmail = chance.isChance(0.9);
  return {
    email: hasEmail ? emailFrom(chance) : null,
    phone: !hasEmail || chance.isChance(0.3) ? `+88018000000${10 + chance.below(12)}` : null,
    firstName: chance.isChance(0.7) ? chance.pick(names) : null,
    tags: chance.isChance(0.5) ? ['vip', 'new'].slice(chance.below(2)) : [],
    source: chance.isChance(0.9) ? chance.pick(sources) : null,
  };
};

const lineOf = ({ email, phone, firstName, tags, source }: RowDetails, origin: Origin, chance: Random): string => {
  // A phone may be written without its plus.
  const digits = chance.isChance(0.3) ? phone?.slice(1) : phone;
  const cells = [email, digits, firstName, tags.join('; '), source, JSON.stringify(origin)];
  return cells.map((cell) => cellOf(cell ?? '')).join();
};

const badLineFrom = (chance: Random): string =>
  chance.pick([
    'nobody,,,,,',
    'ada@example.com',
    ',,Ada,,,',
    'ada@example.com,,,,,{',
    'a"da@example.com,,,,,',
    ',12,,,,',
  ]);

/** A file with the rows of an import; `nth` of its files. */
export const contactFileFrom = (name: string, nth: number, chance: Random): ContactFile => {
  const end = chance.pick(['\n', '\r\n']);
  const isUsable = chance.isChance(0.93);
  let text = `${chance.isChance(0.2) ? '\ufeff' : ''}${isUsable ? columns : chance.pick(badHeaders)}`;
  const count = isUsable ? chance.below(chance.isChance(0.2) ? 30 : 14) : 0;
  const rows = Array.from({ length: count }, (_, row): FileRow => {
    text += chance.isChance(0.05) ? end.repeat(3) : end;
    const details = chance.isChance(0.85) ? detailsFrom(chance) : undefined;
    const line = text.split('\n').length;
    text += details ? lineOf(details, { import: name, file: nth, row }, chance) : badLineFrom(chance);
    return { line, details };
  });
  return { text: text + end.repeat(chance.below(3)), rows, isUsable };
};
