import * as z from 'zod';
import { emptyObject, JsonText } from '../kit/json-text.ts';
import { line } from '../kit/line.ts';
import { text } from '../kit/text.ts';
import { emailAddress, emailPattern, longestRecipient, notAnEmail } from '../messages/email-address.ts';
import { phoneKind, phoneNumber, phonePattern } from '../messages/recipient.ts';

/** Of one request. */
export const mostContacts = 1_000;
export const longestFirstOrLastName = 100;
export const mostCustomFieldsBytes = 10 * 1024;
/** A tag is a row of the index, and a change of all tags is one transaction, which holds 100 items. */
export const mostTags = 32;
export const longestTag = 200;
export const longestSource = 500;

const email = z
  .string()
  .refine((value) => emailAddress(value) !== undefined, notAnEmail)
  .meta({
    format: 'idn-email',
    pattern: emailPattern,
    maxLength: longestRecipient,
    description: 'Unique in the account, ignoring letter case.',
  });

const phone = z
  .string()
  .transform((value, context) => {
    const number = phoneNumber(value);
    if (number !== undefined) return number;
    context.addIssue(`must be ${phoneKind}`);
    return z.NEVER;
  })
  .meta({
    pattern: phonePattern,
    description:
      'In E.164 format; without the `+`, a valid international number of 8 digits or more is accepted. Unique in the account.',
  });

/** As sent, without spaces; where that is too long, as short as it can be written. Larger ones are dropped, not refused (messaging specification, "Contact"). */
const customFields = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  )
  .transform((value) =>
    [JsonText.of(value).compact(), new JsonText(JSON.stringify(value))].find(
      ({ text: json }) => Buffer.byteLength(json) <= mostCustomFieldsBytes,
    ),
  )
  .meta({ type: 'object', description: 'Up to 10 KB of JSON; a larger object is dropped.' });

/** The fields of a contact that a caller may write. Null clears a field. */
export const contactFields = z.object({
  email: email.nullable().optional(),
  phone: phone.nullable().optional(),
  firstName: line(text({ atMost: longestFirstOrLastName }))
    .nullable()
    .optional(),
  lastName: line(text({ atMost: longestFirstOrLastName }))
    .nullable()
    .optional(),
  tags: z
    .array(line(text({ atMost: longestTag })))
    .nullable()
    .transform((tags) => [...new Set(tags)])
    .pipe(z.array(z.string()).max(mostTags))
    .meta({ description: `At most ${mostTags} different tags; a repeated tag is stored once.` })
    .optional(),
  source: text({ atMost: longestSource }).nullable().optional(),
  customFields: customFields
    .nullable()
    .transform((sent) => (sent === null ? emptyObject : sent))
    .optional(),
});

const isAboutAddress = ({ path = [] }: z.core.$ZodRawIssue): boolean =>
  path.length === 0 || path[0] === 'email' || path[0] === 'phone';

const oneOfThem = (field: 'email' | 'phone') => ({
  properties: { [field]: { type: 'string' } },
  required: [field],
});

/** The fields of a new contact, which must be reachable. */
export const newContactFields = contactFields
  .refine((sent) => typeof sent.email === 'string' || typeof sent.phone === 'string', {
    path: ['email or phone'],
    error: 'at least one is required',
    when: ({ issues }) => !issues.some(isAboutAddress),
  })
  .meta({
    description: 'An email, a phone, or both are required.',
    anyOf: [oneOfThem('email'), oneOfThem('phone')],
  });
