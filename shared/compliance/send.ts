import { randomUUID } from 'node:crypto';
import { addStrike, type StrikeNeeds } from '../contacts/strikes.ts';
import type { AccountRef } from '../kit/account-ref.ts';
import { Fault } from '../kit/fault.ts';
import { log, logAbout } from '../kit/log.ts';
import { metered } from '../kit/metrics.ts';
import type { AcceptedMessage, Price } from '../messages/new-message.ts';
import { type SendMailNeeds, sendMail } from '../messages/send-mail.ts';
import { type AcceptNeeds, accept } from './accept.ts';
import { type Drafted, type DraftNeeds, draftFrom, type MailNeeds, mailOf, type SendBody } from './draft.ts';
import type { Block } from './gate.ts';

export interface SenderNeeds extends DraftNeeds, MailNeeds, AcceptNeeds, StrikeNeeds, SendMailNeeds {
  readonly sends: DraftNeeds['sends'] & AcceptNeeds['sends'] & SendMailNeeds['sends'];
  readonly messages: AcceptNeeds['messages'] & SendMailNeeds['messages'];
}

interface SendRequest {
  readonly account: AccountRef;
  readonly body: SendBody;
  /** The id of the message: a request with an id that has been accepted sends nothing. */
  readonly newId: string;
  readonly nowMs: number;
  /** An earlier run of the request may have accepted the message. */
  readonly isResumed?: boolean | undefined;
}

/**
 * Accepts a message. An email is then sent at once; a text is queued by the table's stream, and a worker sends it. A scheduled message waits for
 * its time.
 * @throws Fault when it is refused
 */
export const sender = (needs: SenderNeeds) => {
  const { messages } = needs;

  const send = async (request: SendRequest): Promise<AcceptedMessage> => {
    const { account, body, newId, nowMs, isResumed } = request;
    const drafted = await draftFrom(needs, request);
    const { message } = drafted.draft;
    const mail = body.channel === 'email' ? await mailOf(needs, request, drafted) : undefined;
    const isLater = message.scheduledAt !== undefined;
    const here = mail !== undefined && !isLater ? { mail, run: randomUUID() } : undefined;
    const draft = { ...drafted.draft, ...(isLater && { mail }), run: here?.run, isResumed };
    const acceptance = await accept(needs, { account, draft, context: drafted.context, nowMs });
    const cancelled = { ...message, status: 'queued' } as const;
    if (acceptance === 'cancelled') return cancelled;
    if (acceptance === 'exists') return (await messages.find(account, newId, body.channel)) ?? cancelled;
    if (acceptance !== 'accepted') throw await refused(needs, acceptance, request, drafted);
    return here ? sendMail(needs, { account, message, ...here }) : message;
  };

  const sendOnce = async (request: SendRequest): Promise<AcceptedMessage> => {
    const { account, newId, isResumed } = request;
    // The retry may name another channel, and sends nothing more.
    return (isResumed && (await messages.find(account, newId))) || send(request);
  };

  return (request: SendRequest): Promise<AcceptedMessage> =>
    logAbout({ accountId: request.account.id, messageId: request.newId }, () => sendOnce(request));
};

/** Spam counts against its contact. */
const refused = async (
  needs: SenderNeeds,
  refusal: 'unfunded' | { readonly blocked: Block },
  { account, newId, nowMs }: SendRequest,
  { draft, context: { holder } }: Drafted,
): Promise<Fault> => {
  if (refusal === 'unfunded') return unfunded(account, draft.message.price);
  const { by, reason } = refusal.blocked;
  log('info', 'a message was blocked', { channel: draft.message.channel, reason: by, ...metered({ blocked: 1 }, by) });
  if (by === 'spam' && holder) await addStrike(needs, account, holder.contactId, newId, nowMs);
  return new Fault('send_blocked', reason);
};

/** What the refusal of a send that the credits do not cover says. */
export const unfundedReason = ({ counter, credits }: Price): string =>
  credits === 1
    ? `This send costs 1 ${counter} credit; the account has no ${counter} credits.`
    : `This send costs ${credits} ${counter} credits; the account has fewer.`;

/** An alarm reads the line of a request, so it is written at every level that a deployment may have. */
export const logOutOfCredits = ({ id }: AccountRef, price: Price): void =>
  log('error', 'an account is out of credits', {
    accountId: id,
    counter: price.counter,
    outOfCredits: true,
    ...metered({ blocked: 1 }, 'credits'),
  });

const unfunded = (account: AccountRef, price: Price): Fault => {
  logOutOfCredits(account, price);
  return new Fault('insufficient_credits', unfundedReason(price));
};
