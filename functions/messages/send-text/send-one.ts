import type { Queue } from '../../../shared/aws/queue.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import type { MessageJob, TextJob } from '../../../shared/messages/jobs.ts';
import type { TextChannel } from '../../../shared/messages/message.ts';
import type { TextProvider } from '../../../shared/providers/text/text-provider.ts';
import type { TextSends } from '../../../shared/table/text-send-storage.ts';
import { type HandOverNeeds, handOver, type Next } from './hand-over.ts';

export interface SendOneNeeds extends HandOverNeeds {
  readonly textSends: Pick<TextSends, 'pickUp' | 'release' | 'fail'>;
  readonly texts: Readonly<Record<TextChannel, Queue<TextJob>>>;
  /** Messages that are given up on unless a report comes. */
  readonly interruptedSends: Queue<MessageJob>;
  readonly giveUpSeconds: number;
}

/**
 * Hands one text to its provider, unless it has gone already or another run is at work on it. Where a run called the provider and then died,
 * it is called again only if it sends a message once; otherwise a report is waited for.
 */
export const sendOne = ({ texts, interruptedSends, giveUpSeconds, ...needs }: SendOneNeeds) => {
  const { textSends, clock } = needs;
  const handOverClaimed = handOver(needs);

  const attempt = async (account: AccountRef, provider: TextProvider | undefined, job: TextJob): Promise<Next> => {
    const nowMs = clock();
    const picked = await textSends.pickUp(account, job, { isRepeatable: provider?.takesReference ?? false, nowMs });
    switch (picked.kind) {
      case 'claimed':
        return handOverClaimed(account, provider, picked);
      case 'held':
        return { againSeconds: Math.ceil((picked.untilMs + 1 - nowMs) / 1_000) };
      case 'uncertain':
        return 'await-report';
      case 'over':
        return 'nothing';
    }
  };

  return async (account: AccountRef, provider: TextProvider | undefined, job: TextJob): Promise<void> => {
    const next = await attempt(account, provider, job);
    if (next === 'nothing') return;
    const { account: accountId, message, channel } = job;
    if (next === 'await-report')
      await interruptedSends.send([{ account: accountId, message }], { delaySeconds: giveUpSeconds });
    else await texts[channel].send([{ account: accountId, message, channel }], { delaySeconds: next.againSeconds });
  };
};
