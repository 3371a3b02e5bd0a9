import * as z from 'zod';

export const contactStatuses = ['active', 'unsubscribed', 'bounced', 'complained', 'quarantined'] as const;
export type ContactStatus = (typeof contactStatuses)[number];

/** The Contact object of the specification. */
export const contact = z.object({
  id: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  tags: z.array(z.string()),
  source: z.string().nullable(),
  status: z.enum(contactStatuses),
  customFields: z.custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export type Contact = z.output<typeof contact>;

/** What a contact says about a person: all that a caller writes, and all that is sealed at rest. */
export type ContactDetails = Pick<
  Contact,
  'email' | 'phone' | 'firstName' | 'lastName' | 'tags' | 'source' | 'customFields'
>;

/** Where an engagement score starts; it moves between 0 and 100 and is not on the wire. */
export const startScore = 50;

const nobody: ContactDetails = {
  email: null,
  phone: null,
  firstName: null,
  lastName: null,
  tags: [],
  source: null,
  customFields: {},
};

/** Completes what a caller sent of a new contact. */
export const detailsOf = (sent: Partial<ContactDetails>): ContactDetails => ({ ...nobody, ...sent });

/** The contact that a send to an unknown recipient creates. */
export const recipientDetails = (recipient: { readonly email?: string; readonly phone?: string }): ContactDetails =>
  detailsOf({ ...recipient, source: 'api' });
