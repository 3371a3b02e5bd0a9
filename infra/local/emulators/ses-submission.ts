import { randomUUID } from 'node:crypto';
import { invalidParameter } from './invalid-parameter.ts';
import { type MailContent, readAddresses, readMail } from './ses-mail.ts';

/** A mail that SES accepted, with the parameters of the call. */
export interface AcceptedMail {
  readonly messageId: string;
  readonly at: Date;
  /** A bare address. */
  readonly source: string;
  /** The envelope's recipients as bare addresses; they may differ from the headers. */
  readonly recipients: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  readonly configurationSetName: string | null;
  readonly raw: Buffer;
  /** Recipients that are in no header are added to its `bcc`. */
  readonly content: MailContent;
}

/** Of SES v1, whatever the account ("Service quotas in Amazon SES", Message quotas). */
const rawLimitBytes = 10 * 2 ** 20;

/** Reads the form of a SendRawEmail call. Throws SES's error for a bad one. */
export async function readSubmission(form: URLSearchParams, at: Date): Promise<AcceptedMail> {
  const raw = readRaw(form.get('RawMessage.Data') ?? '');
  const tags = readTags(form);
  const content = await readMail(raw);
  const { to, cc, bcc } = content.destination;
  const named = [...to, ...cc, ...bcc];
  const destinations = members(form, 'Destinations');
  const recipients = (destinations.length > 0 ? destinations : named).map(readAddress);
  if (recipients.length === 0) throw invalidParameter('No recipient is given.');
  return {
    messageId: newMessageId(at),
    at,
    source: readAddress(form.get('Source') ?? content.from),
    recipients,
    tags,
    configurationSetName: form.get('ConfigurationSetName'),
    raw,
    content: { ...content, destination: { to, cc, bcc: [...bcc, ...without(recipients, named)] } },
  };
}

/** An id in SES's format: the time, then a unique part. */
export const newMessageId = (at: Date): string =>
  `0100${at.getTime().toString(16).padStart(12, '0')}-${randomUUID()}-000000`;

function readRaw(base64: string): Buffer {
  if (base64 === '' || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64))
    throw invalidParameter('RawMessage.Data is missing or not base64.');
  const raw = Buffer.from(base64, 'base64');
  if (raw.length > rawLimitBytes) throw invalidParameter(`Message length is more than ${rawLimitBytes} bytes long.`);
  return raw;
}

function readTags(form: URLSearchParams): Record<string, string> {
  const names = members(form, 'Tags', '.Name');
  const values = members(form, 'Tags', '.Value');
  const tags = names.map((name, index) => [name, values[index] ?? ''] as const);
  if (!tags.flat().every((word) => /^[\w-]{1,256}$/.test(word)))
    throw invalidParameter("Tags take only letters, digits, '_' and '-', up to 256 of them.");
  return Object.fromEntries(tags);
}

export function readAddress(text: string): string {
  const [address = '', ...more] = readAddresses(text);
  if (more.length > 0 || !/^[!-?A-~]+@[A-Za-z0-9.-]+$/.test(address))
    throw invalidParameter(`Illegal address: ${text}.`);
  return address;
}

function without(addresses: readonly string[], named: readonly string[]): string[] {
  const known = new Set(named.map((address) => address.toLowerCase()));
  return addresses.filter((address) => !known.has(address.toLowerCase()));
}

function members(form: URLSearchParams, list: string, field = ''): string[] {
  const values: string[] = [];
  for (let value = form.get(`${list}.member.1${field}`); value !== null; ) {
    values.push(value);
    value = form.get(`${list}.member.${values.length + 1}${field}`);
  }
  return values;
}
