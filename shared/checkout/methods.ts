import * as z from 'zod';
import { exampleId } from '../kit/id.ts';
import type { Language } from '../kit/language.ts';
import { isGatewayCode, supportedGateways, takesAmount } from './supported-gateways.ts';

export const mostMethods = 50;

const withCredentials = Object.entries(supportedGateways)
  .filter(([, { isSimulator }]) => !isSimulator)
  .map(([code, { credentials }]) => `${credentials.map((name) => `\`${name}\``).join(', ')} on \`${code}\``)
  .join('; ');

/** A way to pay, as a caller wishes it. */
export const methodWish = z.object({
  acceptanceMethodId: z.string().optional().describe('The id of an existing method: needed only to rename it.'),
  gatewayCode: z
    .string()
    .refine(isGatewayCode, `must be one of ${Object.keys(supportedGateways).join(', ')}`)
    .meta({ enum: Object.keys(supportedGateways) }),
  displayLabel: z.string().trim().min(1).max(100),
  displayLabelBn: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe('The label on pages in Bangla. If omitted, they show `displayLabel`.'),
  livemode: z
    .boolean()
    .describe(
      '`true`: for sessions of live keys. `false`: for those of test keys; a real gateway is then called at its sandbox.',
    ),
  enabled: z.boolean(),
  sortOrder: z.int().min(0).max(10_000),
  credentials: z
    .record(z.string().max(50), z.string().min(1).max(500))
    .optional()
    .describe(
      `The credentials that the gateway issued: ${withCredentials}. If omitted, they are unchanged. With another \`storeId\` or \`username\`, the method gets a new id.`,
    ),
});
export type MethodWish = z.output<typeof methodWish>;

/** A way to pay that an account has. */
export interface AcceptanceMethod extends Readonly<Omit<MethodWish, 'acceptanceMethodId' | 'credentials'>> {
  readonly id: string;
  /** The credentials that its gateway requires, and no others; empty for a simulator. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** A method as the admin API shows it: never with its credentials. */
export const shownMethod = methodWish
  .omit({ credentials: true })
  .extend({ acceptanceMethodId: z.string(), hasCredentials: z.boolean() })
  .meta({
    id: 'AcceptanceMethod',
    description: 'A payment method, without its credentials.',
    examples: [
      {
        acceptanceMethodId: exampleId,
        gatewayCode: 'sim_card',
        displayLabel: 'Card',
        livemode: false,
        enabled: true,
        sortOrder: 1,
        hasCredentials: false,
      },
    ],
  });

export const shown = ({ id, credentials, ...method }: AcceptanceMethod): z.output<typeof shownMethod> => ({
  ...method,
  acceptanceMethodId: id,
  hasCredentials: Object.keys(credentials).length > 0,
});

/** The methods of an account, and those that it no longer offers: payments that were begun with them must still be asked for and refunded. */
export interface KnownMethods {
  readonly current: readonly AcceptanceMethod[];
  readonly retired: readonly AcceptanceMethod[];
}

/** The order of display. */
export const inOrder = (one: AcceptanceMethod, other: AcceptanceMethod): number =>
  one.sortOrder - other.sortOrder ||
  one.displayLabel.localeCompare(other.displayLabel, 'en') ||
  one.id.localeCompare(other.id);

/** The methods that an account offers to payers: a frozen one offers none. */
export const offeredBy = (
  account: { readonly status: string } | undefined,
  methods: readonly AcceptanceMethod[],
): readonly AcceptanceMethod[] => (account?.status === 'frozen' ? [] : methods);

export const exampleMethod = {
  acceptanceMethodId: '019a9c1e-0a2b-7c4d-8e6f-1a2b3c4d5e6f',
  mode: 'GATEWAY',
  gatewayCode: 'sim_card',
  displayLabel: 'Card',
  sortOrder: 1,
} as const;

/** An element of `eligibleMethods` (checkout specification, "Eligible method"). */
export const eligibleMethod = z
  .object({
    acceptanceMethodId: z.string(),
    mode: z.literal('GATEWAY'),
    gatewayCode: z.string(),
    displayLabel: z.string().describe('The label that the payer sees.'),
    sortOrder: z.int().describe('The position in the display order.'),
  })
  .meta({
    id: 'EligibleMethod',
    description: 'A payment method that can be used for the session.',
    examples: [exampleMethod],
  });
export type EligibleMethod = z.output<typeof eligibleMethod>;

/** The methods that a payer may choose for this amount, in the order of display. */
export const eligibleMethods = (
  methods: readonly AcceptanceMethod[],
  { livemode, amountMinor, currency }: { livemode: boolean; amountMinor: number; currency: string },
): EligibleMethod[] =>
  methods
    .filter(
      (method) =>
        method.enabled && method.livemode === livemode && takesAmount(method.gatewayCode, amountMinor, currency),
    )
    .sort(inOrder)
    .map(({ id, gatewayCode, displayLabel, sortOrder }) => ({
      acceptanceMethodId: id,
      mode: 'GATEWAY',
      gatewayCode,
      displayLabel,
      sortOrder,
    }));

/** What the way of paying is called; as its payer saw it where the account has removed it since, and else by its gateway. */
export const labelOf = (
  methods: readonly AcceptanceMethod[],
  way: {
    readonly acceptanceMethodId: string;
    readonly gatewayCode: string;
    readonly displayLabel?: string | undefined;
  },
  language: Language = 'en',
): string => {
  const method = methods.find(({ id }) => id === way.acceptanceMethodId);
  const label = (language === 'bn' ? method?.displayLabelBn : undefined) ?? method?.displayLabel;
  return label ?? way.displayLabel ?? way.gatewayCode;
};
