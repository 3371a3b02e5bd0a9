import type { Contact } from '../contacts/contact.ts';
import { emptyObject } from '../kit/json-text.ts';
import type { Message } from '../messages/message.ts';
import { tagsCell } from './tags-cell.ts';

/** The columns of an export: each with the text of its cell. */
type Columns<Row> = Readonly<Record<string, (row: Row) => string | null>>;

const tagsOf = ({ tags }: { readonly tags: readonly string[] }): string => tagsCell(tags);

export const messageColumns: Columns<Message> = {
  id: ({ id }) => id,
  channel: ({ channel }) => channel,
  status: ({ status }) => status,
  to: ({ to }) => to,
  tags: tagsOf,
  metadata: ({ metadata }) => metadata.text,
  createdAt: ({ createdAt }) => createdAt,
  sentAt: ({ sentAt }) => sentAt,
  deliveredAt: ({ deliveredAt }) => deliveredAt,
  failedAt: ({ failedAt }) => failedAt,
  failureReason: ({ failureReason }) => failureReason,
  failureCode: ({ failureCode }) => failureCode,
  scheduledAt: ({ scheduledAt }) => scheduledAt ?? null,
};

/** An import takes them all, of contacts that are active. */
export const contactColumnsOfExport: Columns<Contact> = {
  id: ({ id }) => id,
  email: ({ email }) => email,
  phone: ({ phone }) => phone,
  firstName: ({ firstName }) => firstName,
  lastName: ({ lastName }) => lastName,
  tags: tagsOf,
  source: ({ source }) => source,
  customFields: ({ customFields: { text } }) => (text === emptyObject.text ? null : text),
  status: ({ status }) => status,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
};
