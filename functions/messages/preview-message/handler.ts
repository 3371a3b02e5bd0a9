import type { Credits } from '../../../shared/accounts/credits.ts';
import { type Drafted, draftFrom } from '../../../shared/compliance/draft.ts';
import { judge } from '../../../shared/compliance/gate.ts';
import { unfundedReason } from '../../../shared/compliance/send.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { iso } from '../../../shared/kit/time.ts';
import { type AttachmentNeeds, attachedFiles } from '../../../shared/messages/attachment.ts';
import { shownContent } from '../../../shared/messages/content.ts';
import { checkMailSize } from '../../../shared/messages/mail-size.ts';
import { segmentsOf } from '../../../shared/messages/segments.ts';
import { type PlatformAddresses, senderOf } from '../../../shared/messages/sender.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { SendContextStore } from '../../../shared/table/messages/send-context-store.ts';
import type { previewMessageContract } from './contract.ts';

export interface PreviewMessageNeeds extends AttachmentNeeds, PlatformAddresses {
  readonly sends: SendContextStore;
  readonly accounts: Pick<AccountStore, 'credits'>;
}

type Request = Input<typeof previewMessageContract>;
type Preview = Reply<typeof previewMessageContract>;
type Verdict = Pick<Preview, 'verdict' | 'code' | 'message' | 'retryAt'>;

/** What a send would do now. It is drafted and judged as a send is, and nothing is written. */
export const previewMessage =
  ({ sends, accounts, platformAddress, peopleAddress, ...files }: PreviewMessageNeeds) =>
  async (request: Request): Promise<Preview> => {
    const { account, body, nowMs } = request;
    const { channel, to } = body;
    const [drafted, credits] = await Promise.all([
      draftFrom({ sends }, request).catch(withoutTemplate),
      accounts.credits(account.id),
    ]);
    if (drafted instanceof Fault) return { ...nothing, ...refusedAs(drafted), channel, to };
    // As a send reads them: after the template and the recipient.
    const attachments = await attachedFiles(files)(account, body.attachments, nowMs);
    const { draft, context } = drafted;
    const content = shownContent(drafted.content);
    checkMailSize(content, attachments);
    const { price } = draft.message;
    const counter = price.credits > 0 ? price.counter : null;
    return {
      ...verdictOn(drafted, credits, nowMs),
      channel,
      to,
      from:
        channel === 'email' ? senderOf(context.settings.email, body, { platformAddress, peopleAddress }).address : null,
      subject: content.subject ?? null,
      html: content.html ?? null,
      text: content.text ?? null,
      ...(channel === 'sms' ? segmentsOf(content.text ?? '') : { segments: null, encoding: null }),
      credits: price.credits,
      counter,
      creditsLeft: counter && (credits?.[counter] ?? 0),
    };
  };

/** Any other fault is that of a body that is not valid. */
const withoutTemplate = (thrown: unknown): Fault => {
  if (thrown instanceof Fault && thrown.code === 'template_not_found') return thrown;
  throw thrown;
};

const refusedAs = ({ code, message }: Fault): Verdict => ({ verdict: 'refused', code, message, retryAt: null });

const verdictOn = ({ draft, context }: Drafted, credits: Credits | undefined, nowMs: number): Verdict => {
  const { price } = draft.message;
  const verdict = judge(draft, context, nowMs);
  if ('blocked' in verdict) {
    const { reason, retryAtMs } = verdict.blocked;
    const retryAt = retryAtMs === undefined ? null : iso(retryAtMs);
    return { verdict: 'blocked', code: 'send_blocked', message: reason, retryAt };
  }
  if ((credits?.[price.counter] ?? 0) < price.credits)
    return refusedAs(new Fault('insufficient_credits', unfundedReason(price)));
  return { verdict: 'accepted', code: null, message: null, retryAt: null };
};

/** Without a template there is no content. */
const nothing = {
  from: null,
  subject: null,
  html: null,
  text: null,
  segments: null,
  encoding: null,
  credits: null,
  counter: null,
  creditsLeft: null,
};
