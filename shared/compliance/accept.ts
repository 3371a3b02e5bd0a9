import type { AccountRef } from '../kit/account-ref.ts';
import { causeOf, log } from '../kit/log.ts';
import type { Channel } from '../messages/message.ts';
import type { AcceptedMessage } from '../messages/new-message.ts';
import { type Block, type Draft, judge, type Slot } from './gate.ts';
import type { SendContext } from './send-context.ts';

interface Sends {
  read(account: AccountRef, recipient: Pick<Draft, 'contact'> & Pick<AcceptedMessage, 'channel'>): Promise<SendContext>;
  /**
   * Message, credits, slot and new contact in one transaction. `stale`: nothing was written, because something that the draft was judged by
   * has changed.
   */
  write(
    account: AccountRef,
    draft: Draft,
    context: SendContext,
    slot: Slot | undefined,
  ): Promise<'accepted' | 'exists' | 'cancelled' | 'unfunded' | 'stale'>;
}

export interface AcceptNeeds {
  readonly sends: Sends;
  readonly messages: {
    find(account: AccountRef, id: string, channel?: Channel): Promise<AcceptedMessage | undefined>;
    withdraw(account: AccountRef, message: AcceptedMessage, run: string): Promise<boolean>;
  };
}

interface Submission {
  readonly account: AccountRef;
  readonly draft: Draft;
  readonly context: SendContext;
  readonly nowMs: number;
}

/**
 * `exists`: an earlier run has accepted the message under the same id. `cancelled`: so it has, and the message was cancelled while it waited.
 * `unfunded`: the credits do not cover it.
 */
export type Acceptance = 'accepted' | 'exists' | 'cancelled' | 'unfunded' | { readonly blocked: Block };

/**
 * Accepts a message of any channel, or refuses it and leaves nothing of it. It reads the context, judges the draft, and writes on the condition
 * that the context is unchanged; otherwise it reads and judges again.
 */
export const accept = async (needs: AcceptNeeds, submission: Submission): Promise<Acceptance> => {
  const { account, draft } = submission;
  try {
    return await judgeAndWrite(needs, submission);
  } catch (thrown) {
    // It is unknown whether the message was accepted. By this run, it was certainly not sent, which a retry could not find out.
    const { message, run } = draft;
    if (run !== undefined) await needs.messages.withdraw(account, message, run).catch(leaveToWatch);
    throw thrown;
  }
};

const judgeAndWrite = async (needs: AcceptNeeds, submission: Submission): Promise<Acceptance> => {
  const { sends, messages } = needs;
  const { account, draft, context, nowMs } = submission;
  const verdict = judge(draft, context, nowMs);
  if ('blocked' in verdict)
    return (await messages.find(account, draft.message.id, draft.message.channel)) ? 'exists' : verdict;
  const outcome = await sends.write(account, draft, context, verdict.slot);
  if (outcome !== 'stale') return outcome;
  const { contact, message } = draft;
  const latest = await sends.read(account, { contact, channel: message.channel });
  return judgeAndWrite(needs, { ...submission, context: latest });
};

/** `end-interrupted-send` ends it later. */
const leaveToWatch = (thrown: unknown): void =>
  log('error', 'a message of unknown acceptance could not be withdrawn', { ...causeOf(thrown) });
