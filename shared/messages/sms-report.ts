import type { HttpGatewaySettings } from '../accounts/provider-settings.ts';
import { hasSign, textAt } from '../kit/json-pointer.ts';
import { type Failure, failures } from './failures.ts';
import type { Trigger } from './moves.ts';

type ReportSettings = NonNullable<HttpGatewaySettings['report']>;

/** A report about a message. */
export interface Reported {
  readonly trigger: Extract<Trigger, 'deliveryConfirmed' | 'deliveryFailed' | 'contentRejected'>;
  readonly failure?: Failure;
}

const longestCode = 100;
const longestReason = 500;

/** The outcome in a gateway's report, read according to the account's settings; undefined for intermediate reports. */
export const reportedIn = (document: unknown, signs: ReportSettings): Reported | undefined => {
  const textAtPointer = (pointer: string | undefined): string | undefined =>
    (pointer === undefined ? undefined : textAt(document, pointer)) || undefined;
  const failure = {
    code: (textAtPointer(signs.code) ?? failures.undelivered.code).slice(0, longestCode),
    reason: (textAtPointer(signs.reason) ?? failures.undelivered.reason).slice(0, longestReason),
  };
  if (signs.rejected && hasSign(document, signs.rejected)) return { trigger: 'contentRejected', failure };
  if (signs.failed && hasSign(document, signs.failed)) return { trigger: 'deliveryFailed', failure };
  return hasSign(document, signs.delivered) ? { trigger: 'deliveryConfirmed' } : undefined;
};
