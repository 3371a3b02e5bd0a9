import * as z from 'zod';
import { isHeaderValue } from '../kit/header-value.ts';
import { exampleId } from '../kit/id.ts';
import { line, lineFault } from '../kit/line.ts';
import { countryShape, isCountryCode, notACountry } from './country-code.ts';
import { type InboundPointers, inboundPointers, smsProvider, whatsappProvider } from './provider-settings.ts';

/** Plain http on this machine is for trying things out: on AWS, no address there is called. */
const isLogoUrl = (text: string): boolean =>
  (/^https:\/\/[^\s/?#\\@]+([/?#]\S*)?$/i.test(text) || /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?\//.test(text)) &&
  URL.canParse(text);

const perSecond = z
  .int()
  .min(1)
  .max(1_000)
  .nullable()
  .describe(
    'The rate that the provider accepts, also for texts that wait already: segments of an sms, or whatsapp messages. `null`: no limit.',
  );

/** The default limit of webhook subscriptions per account and API; an operator may raise it. */
export const usualSubscriptions = 20;

/** How the hosted page and receipts look; `null`: as they are without. */
const branding = z.object({
  logoUrl: z
    .string()
    .max(2_048)
    .refine(isLogoUrl, 'must be an absolute https URL without user info')
    .nullable()
    .describe(
      'A PNG, JPEG or WebP image of at most 200 KB. It is read once, when it is set, and shown from our own copy.',
    ),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #0b5cad')
    .toLowerCase()
    .nullable()
    .describe('The text on it is black or white, whichever is easier to read.'),
  supportEmail: z.email('must be an email address').max(320).nullable(),
  supportPhone: z
    .string()
    .max(50)
    .regex(/^\+?\d[\d ()./-]{1,48}$/, 'must be a phone number')
    .nullable(),
  statementName: z.string().trim().min(1).max(50).nullable().describe('What the payer’s bank statement shows.'),
});

/** With the id of our copy of the logo, which callers do not set. */
const storedBranding = branding.extend({ logoId: z.string().nullable() });

/** The settings of an account. */
export const accountSettings = z.object({
  name: z.string().trim().min(1).max(200),
  status: z.enum(['active', 'frozen']),
  adminEmails: z.array(z.email('must be an email address').max(320)).max(20),
  email: z.object({
    fromAddress: z.email('must be an email address').max(320).nullable(),
    fromName: z
      .string()
      .max(200)
      .regex(/^[^\r\n\0"]*$/, 'must not contain line breaks or double quotes')
      .nullable(),
    listUnsubscribe: z
      .boolean()
      .describe('Whether emails have List-Unsubscribe headers when the send omits `listUnsubscribe`.'),
    verifiedDomains: z
      .array(
        z
          .string()
          .max(253)
          .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'must be a domain name')
          .toLowerCase(),
      )
      .max(100),
  }),
  sms: z.object({
    sender: z
      .string()
      .trim()
      .min(1)
      .max(20)
      .refine((sender) => !/\p{Cc}/u.test(sender), 'must not contain control characters')
      .describe(
        'A number or short code (3 to 15 digits) belongs to the first account that sets it, until that account sets another sender. Replies to it go to that account. After that, only a STOP still does, until another account sets it. Recipients cannot reply to a name, and several accounts may use the same name.',
      ),
    senderKind: z.enum(['masked', 'non_masked']),
    provider: smsProvider
      .nullable()
      .describe(
        '`null`: the provider of the deployment. `aws` is AWS End User Messaging; `sender` is its origination identity.',
      ),
    messagesPerSecond: perSecond,
    // Of the gateways before, for what is still answered to their texts. Callers do not set it.
    earlierInbound: z.array(inboundPointers).optional(),
  }),
  whatsapp: z.object({ provider: whatsappProvider.nullable(), messagesPerSecond: perSecond }),
  checkout: z.object({
    acceptsLatePayments: z
      .boolean()
      .describe('A payment that succeeds after its session expired completes the session instead of being refunded.'),
    sendsReceipts: z.boolean().describe('Payers whose email is known receive a receipt.'),
  }),
  branding: storedBranding,
  webhooks: z.object({
    maxSubscriptions: z
      .int()
      .min(usualSubscriptions)
      .max(100)
      .describe('The maximum number of webhook subscriptions in each API.'),
  }),
  suppressions: z
    .enum(['off', 'enforced'])
    .describe('`enforced`: a send to a suppressed address is 422 `send_blocked`. `off`: they are only listed.'),
  quietHours: z
    .object({
      start: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 21:00'),
      end: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 08:00'),
      countries: z.array(z.string().regex(countryShape, notACountry)).max(300).optional(),
      withCountryRules: z
        .boolean()
        .optional()
        .describe('Also applies the narrower sending hours that a country’s own rules set for advertising.'),
    })
    .nullable(),
  frequencyCap: z.object({ max: z.int().min(1).max(1_000), windowSeconds: z.int().min(1).max(31_536_000) }).nullable(),
});

export type AccountSettings = z.output<typeof accountSettings>;

const noBranding = { logoUrl: null, color: null, supportEmail: null, supportPhone: null, statementName: null };

/** A new account with default settings. */
export const newAccountSettings = (name: string): AccountSettings => ({
  name,
  status: 'active',
  adminEmails: [],
  email: { fromAddress: null, fromName: null, listUnsubscribe: true, verifiedDomains: [] },
  sms: { sender: 'masked', senderKind: 'masked', provider: null, messagesPerSecond: null },
  whatsapp: { provider: null, messagesPerSecond: null },
  checkout: { acceptsLatePayments: false, sendsReceipts: false },
  branding: { ...noBranding, logoId: null },
  webhooks: { maxSubscriptions: usualSubscriptions },
  suppressions: 'off',
  quietHours: null,
  frequencyCap: null,
});

const sentSms = accountSettings.shape.sms.omit({ earlierInbound: true });

/** Shows only the kind of a provider, because every other field may be a credential. */
const providerKind = z.object({ kind: z.string() }).nullable();

/** One customer: `tenantId` on messaging webhooks, `merchantId` on checkout webhooks. */
export const account = accountSettings
  .extend({
    sms: sentSms.extend({ provider: providerKind }),
    whatsapp: accountSettings.shape.whatsapp.extend({ provider: providerKind }),
    branding,
    id: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({
    id: 'Account',
    description: 'One customer. Only the kind of a provider is shown.',
    examples: [
      {
        ...newAccountSettings('Ada’s books'),
        branding: noBranding,
        id: exampleId,
        createdAt: '2026-11-20T12:00:00.000Z',
        updatedAt: '2026-11-20T12:00:00.000Z',
      },
    ],
  });

export type Account = AccountSettings & Pick<z.output<typeof account>, 'id' | 'createdAt' | 'updatedAt'>;

/** All settings are optional; omitted fields of a group are unchanged. */
const accountChanges = accountSettings
  .extend({
    email: accountSettings.shape.email.partial(),
    sms: accountSettings.shape.sms.partial(),
    whatsapp: accountSettings.shape.whatsapp.partial(),
    checkout: accountSettings.shape.checkout.partial(),
    branding: storedBranding.partial(),
    webhooks: accountSettings.shape.webhooks.partial(),
  })
  .partial();

export type AccountChanges = z.output<typeof accountChanges>;

const headerFault = (text: string): string | undefined =>
  isHeaderValue(text) ? undefined : 'must not contain control characters or characters outside Latin-1';

/** Quiet hours in a country that does not exist would be kept nowhere, and numbers of it could not be read. */
const countryFault = (code: string): string | undefined =>
  countryShape.test(code) && !isCountryCode(code) ? notACountry : undefined;

interface Finding {
  readonly path: string[];
  readonly what: string | undefined;
}

const findings = ({ name, email, sms, whatsapp, branding: brand, quietHours }: AccountChanges): Finding[] => {
  const gateway = sms?.provider?.kind === 'http' ? sms.provider : undefined;
  const headers = Object.entries(gateway?.headers ?? {});
  const { accessToken, appSecret, verifyToken } = { ...(whatsapp?.provider?.kind === 'meta' && whatsapp.provider) };
  const credentials = Object.entries({ accessToken, appSecret, verifyToken });
  return [
    { path: ['name'], what: lineFault(name ?? '') },
    { path: ['email', 'fromName'], what: lineFault(email?.fromName ?? '') },
    { path: ['branding', 'statementName'], what: lineFault(brand?.statementName ?? '') },
    ...headers.map(([header, value]) => ({ path: ['sms', 'provider', 'headers', header], what: headerFault(value) })),
    { path: ['sms', 'provider', 'inbound', 'country'], what: countryFault(gateway?.inbound?.country ?? '') },
    ...(quietHours?.countries ?? []).map((code, n) => ({
      path: ['quietHours', 'countries', String(n)],
      what: countryFault(code),
    })),
    ...credentials.map(([field, value = '']) => ({ path: ['whatsapp', 'provider', field], what: headerFault(value) })),
  ];
};

/** Changes that a caller sends. Stored settings may be older than these rules, so they are not validated against them. */
export const sentAccountChanges = accountChanges
  .extend({ sms: sentSms.partial().optional(), branding: branding.partial().optional() })
  .superRefine((changes, context) => {
    for (const { path, what } of findings(changes)) {
      if (what !== undefined) context.addIssue({ code: 'custom', path, message: what });
    }
  })
  .describe('The settings to change. Header values and credentials are single lines of printable ASCII.');

export const newAccountFields = z.object({ name: line(accountSettings.shape.name) });

/** What changes field by field. */
const groups = ['email', 'sms', 'whatsapp', 'checkout', 'branding', 'webhooks'] as const;

/** So many earlier gateways may still pass on answers. */
const mostEarlierInbound = 3;

const inboundOf = ({ provider }: AccountSettings['sms']): InboundPointers[] =>
  provider?.kind === 'http' && provider.inbound ? [provider.inbound] : [];

/** A recipient may answer a text long after its gateway was replaced, so how that one writes is kept. */
const withEarlierInbound = (before: AccountSettings, after: AccountSettings): AccountSettings => {
  const current = inboundOf(after.sms);
  const all = [...current, ...inboundOf(before.sms), ...(after.sms.earlierInbound ?? [])];
  const distinct = [...new Map(all.map((pointers) => [JSON.stringify(pointers), pointers])).values()];
  const earlierInbound = distinct.slice(current.length, current.length + mostEarlierInbound);
  return earlierInbound.length === 0 ? after : { ...after, sms: { ...after.sms, earlierInbound } };
};

/** Settings with changes of a caller, or with what is stored. */
export const changed = (settings: AccountSettings, changes: Readonly<Record<string, unknown>>): AccountSettings =>
  withEarlierInbound(
    settings,
    accountSettings.parse({
      ...settings,
      ...changes,
      ...Object.fromEntries(groups.map((group) => [group, { ...settings[group], ...Object(changes[group]) }])),
    }),
  );
