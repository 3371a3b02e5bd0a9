import * as z from 'zod';

/** What an account may be told to do differently, by an operator. */
export const accountSettings = z.object({
  name: z.string().trim().min(1).max(200),
  status: z.enum(['active', 'frozen']),
  adminEmails: z.array(z.email('must be an email address').max(320)).max(20),
  email: z.object({
    fromAddress: z.email('must be an email address').max(320).nullable(),
    fromName: z
      .string()
      .max(200)
      .regex(/^[^\r\n\0"]*$/, 'must not have line breaks or double quotes')
      .nullable(),
    verifiedDomains: z
      .array(
        z
          .string()
          .max(253)
          .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'must be a domain name')
          .transform((domain) => domain.toLowerCase()),
      )
      .max(100),
  }),
  sms: z.object({
    sender: z.string().trim().min(1).max(20),
    senderKind: z.enum(['masked', 'non_masked']),
  }),
  quietHours: z
    .object({
      start: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 21:00'),
      end: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 08:00'),
      countries: z
        .array(z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166 country code'))
        .max(300)
        .optional(),
    })
    .nullable(),
  frequencyCap: z
    .object({ max: z.int().min(1).max(1_000_000), windowSeconds: z.int().min(1).max(31_536_000) })
    .nullable(),
});

export type AccountSettings = z.output<typeof accountSettings>;

/** One customer: `tenantId` on messaging webhooks, `merchantId` on checkout webhooks. */
export const account = accountSettings.extend({ id: z.string(), createdAt: z.string(), updatedAt: z.string() });

export type Account = z.output<typeof account>;

/** An account that nobody has set anything on yet. */
export const newAccountSettings = (name: string): AccountSettings => ({
  name,
  status: 'active',
  adminEmails: [],
  email: { fromAddress: null, fromName: null, verifiedDomains: [] },
  sms: { sender: 'masked', senderKind: 'masked' },
  quietHours: null,
  frequencyCap: null,
});

/** Any settings may be sent; inside a group, only the fields that were sent change. */
export const accountChanges = accountSettings
  .extend({ email: accountSettings.shape.email.partial(), sms: accountSettings.shape.sms.partial() })
  .partial();

export type AccountChanges = z.output<typeof accountChanges>;

export const changed = (settings: AccountSettings, changes: AccountChanges): AccountSettings =>
  accountSettings.parse({
    ...settings,
    ...changes,
    email: { ...settings.email, ...changes.email },
    sms: { ...settings.sms, ...changes.sms },
  });
