import * as z from 'zod';
import { gateways, isGatewayCode, takesAmount } from './gateways.ts';
import type { EligibleMethod } from './session.ts';

export const mostMethods = 50;

/** A way to pay, as an operator wishes it. */
export const methodWish = z.object({
  /** Names a method that is there, so that it may be renamed. */
  acceptanceMethodId: z.string().optional(),
  gatewayCode: z
    .string()
    .refine(isGatewayCode, `must be one of ${Object.keys(gateways).join(', ')}`)
    .meta({ enum: Object.keys(gateways) }),
  displayLabel: z.string().trim().min(1).max(100),
  livemode: z.boolean(),
  enabled: z.boolean(),
  sortOrder: z.int().min(0).max(10_000),
  /** What the gateway gave the account. Left out: as they were. */
  credentials: z.record(z.string().max(50), z.string().min(1).max(500)).optional(),
});
export type MethodWish = z.output<typeof methodWish>;

/** A way to pay that an account has. */
export interface AcceptanceMethod extends Readonly<Omit<MethodWish, 'acceptanceMethodId' | 'credentials'>> {
  readonly id: string;
  /** What its gateway asks for, and nothing else; empty for a simulator. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** A method as operators see it: never with its credentials. */
export const shownMethod = methodWish.omit({ credentials: true }).extend({
  acceptanceMethodId: z.string(),
  hasCredentials: z.boolean(),
});

export const shown = ({ id, credentials, ...method }: AcceptanceMethod): z.output<typeof shownMethod> => ({
  ...method,
  acceptanceMethodId: id,
  hasCredentials: Object.keys(credentials).length > 0,
});

/** The order of display. */
export const inOrder = (one: AcceptanceMethod, other: AcceptanceMethod): number =>
  one.sortOrder - other.sortOrder ||
  one.displayLabel.localeCompare(other.displayLabel, 'en') ||
  one.id.localeCompare(other.id);

/** What a payer may choose from for this amount, in the order of display. */
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
