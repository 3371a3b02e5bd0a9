import { whyNotAnyMore } from '../../../shared/compliance/recipient-rules.ts';
import { blockedAtItsTime, type Failure, failures, isExpired } from '../../../shared/messages/failures.ts';
import { knownPhone } from '../../../shared/messages/recipient.ts';
import type { SendContextStore } from '../../../shared/table/messages/send-context-store.ts';
import type { ClaimedText } from './next-step.ts';

/** The recipient of a text that has waited, longer than this or for its turn or another attempt, may have written STOP meanwhile. */
const longWaitMs = 5_000;

/** Why a text is not to be sent any more. Its recipient is read again only if it has waited. */
export const endedBy = async (
  sends: SendContextStore,
  { account, claimed, job }: ClaimedText,
  nowMs: number,
): Promise<Failure | undefined> => {
  const { message, attempt } = claimed;
  if (isExpired(message, nowMs)) return failures.expired;
  const { channel, to, createdAt, scheduledAt = createdAt } = message;
  const phone = knownPhone(to ?? '');
  const hasWaited = job.turnMs !== undefined || job.waitedMs !== undefined || attempt > 1;
  const isLate = nowMs >= Date.parse(scheduledAt) + longWaitMs;
  if (phone === undefined || !(hasWaited || isLate)) return undefined;
  const reason = whyNotAnyMore(channel, await sends.read(account, { channel, contact: { phone } }));
  return reason === undefined ? undefined : blockedAtItsTime(reason);
};
