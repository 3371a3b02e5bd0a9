import { failures } from '../../../shared/messages/failures.ts';
import { afterAttempt, mayWaitOn, retrySeconds, turnSeconds } from '../../../shared/messages/text-retries.ts';
import { warnOfRefusedTexts } from '../../../shared/messages/texts-refused.ts';
import type { TextSendStore } from '../../../shared/table/messages/text-send-store.ts';
import type { TriedOutcome, TriedProvider } from './hung-providers.ts';
import { type ClaimedText, type FailTextNeeds, failText, type Next, recorded, untilExpiry } from './next-step.ts';

export interface AfterUndecidedNeeds extends FailTextNeeds {
  readonly textSends: Pick<TextSendStore, 'releaseClaim' | 'undoAttempt' | 'fail'>;
  /** From 0 to 1. */
  readonly random: () => number;
}

type Undecided = Exclude<TriedOutcome, { readonly kind: 'accepted' | 'refused' }>;
type HeldUp = Extract<TriedOutcome, { readonly kind: 'throttled' | 'resting' }>;

/** A text that has waited longer for its sender raises an alarm. */
const alarmingMs = 15 * 60_000;

export const warnOf = ({ account, claimed: { message } }: ClaimedText, outcome: TriedOutcome): void =>
  warnOfRefusedTexts({
    accountId: account.id,
    messageId: message.id,
    channel: message.channel,
    code: outcome.kind === 'refused' ? outcome.code : undefined,
  });

/** Gives a text back. When the table fails, the next job says that nothing was accepted under this claim, unless that is uncertain. */
const givenBack = (
  { claimed: { message, token } }: ClaimedText,
  isUncertain: boolean,
  again: () => Promise<Next>,
): Promise<Next> => (isUncertain ? again() : recorded(message.id, { unusedClaim: token }, again));

/** The next step for a text whose provider has not decided, or whose answer was lost. */
export const afterUndecided = ({ textSends, random, clock }: AfterUndecidedNeeds) => {
  const fail = failText({ textSends, clock });

  /** The sender takes no texts now, which says nothing of this one. Only the first call that found it so counts as an attempt. */
  const waits = (text: ClaimedText, outcome: HeldUp): Promise<Next> => {
    const { account, claimed, job } = text;
    const { message } = claimed;
    const { isUncertain } = message;
    const { waitedMs = 0 } = job;
    const nowMs = clock();
    if (waitedMs >= alarmingMs) warnOf(text, outcome);
    const isAttempt = outcome.kind === 'throttled' && job.waitedMs === undefined;
    const { waitSeconds = 0 } = outcome;
    return givenBack(text, isUncertain, async () => {
      if (isAttempt) await textSends.releaseClaim(account, claimed, { isUnanswered: false, nowMs });
      else await textSends.undoAttempt(account, claimed, nowMs);
      const seconds = turnSeconds(waitedMs, waitSeconds, random());
      return { kind: 'again', seconds: untilExpiry(seconds, message, nowMs), isHeldUp: true };
    });
  };

  return async (
    { takesReference: isRepeatable }: TriedProvider,
    text: ClaimedText,
    outcome: Undecided,
  ): Promise<Next> => {
    const { account, claimed, job } = text;
    const { message, attempt } = claimed;
    const nowMs = clock();
    const isHeldUp = outcome.kind === 'throttled' || outcome.kind === 'resting';
    if (isHeldUp && mayWaitOn(job.waitedMs)) return waits(text, outcome);
    if (outcome.kind === 'resting') return fail(text, 'sendFailed', failures.unavailable);
    const isUnanswered = outcome.kind === 'unknown';
    const isUncertain = isUnanswered || message.isUncertain;
    switch (afterAttempt({ attempt, isUncertain, isRepeatable })) {
      case 'again': {
        const { waitSeconds = 0 } = outcome.kind === 'unknown' ? {} : outcome;
        return givenBack(text, isUncertain, async () => {
          await textSends.releaseClaim(account, claimed, { isUnanswered, nowMs });
          const seconds = retrySeconds(attempt, waitSeconds, random());
          return { kind: 'again', seconds: untilExpiry(seconds, message, nowMs) };
        });
      }
      case 'await-report':
        return { kind: 'await-report' };
      case 'give-up':
        warnOf(text, outcome);
        return fail(text, 'sendFailed', failures.unavailable);
    }
  };
};
