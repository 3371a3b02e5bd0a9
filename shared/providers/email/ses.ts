import { type SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import type { Mail, MailOutcome } from '../../messages/mail.ts';
import type { EmailProvider } from './email-provider.ts';
import { mimeOf } from './mime.ts';

const tries = 3;
const firstPauseMs = 100;

/** SES's words for a mail that it will never take. Anything else that it refuses is about the platform's own account. */
const finalErrors = new Set([
  'MessageRejected',
  'MailFromDomainNotVerifiedException',
  'MailFromDomainNotVerified',
  'InvalidParameterValue',
]);
/** No connection came about, so nothing can have been handed over. */
const neverConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * SES `SendRawEmail`. SES has no idempotency token, so a call is repeated only when it is certain that SES took nothing: it said so,
 * or was not reached. The client must not retry by itself (`maxAttempts: 1`).
 */
export const sesProvider = (ses: SESClient): EmailProvider => {
  const hand = async (mail: Mail, raw: Buffer): Promise<MailOutcome> => {
    try {
      await ses.send(
        new SendRawEmailCommand({
          Source: mail.from.address,
          Destinations: [mail.to],
          RawMessage: { Data: raw },
          Tags: [
            { Name: 'accountId', Value: mail.accountId },
            { Name: 'messageId', Value: mail.messageId },
          ],
        }),
      );
      return { kind: 'accepted' };
    } catch (thrown) {
      return outcomeOf(thrown);
    }
  };

  const sendWithin = async (mail: Mail, raw: Buffer, triesLeft: number, pauseMs: number): Promise<MailOutcome> => {
    const outcome = await hand(mail, raw);
    if (outcome.kind !== 'unavailable' || triesLeft <= 1) return outcome;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return sendWithin(mail, raw, triesLeft - 1, pauseMs * 4);
  };

  return { send: async (mail) => sendWithin(mail, await mimeOf(mail), tries, firstPauseMs) };
};

const outcomeOf = (thrown: unknown): MailOutcome => {
  if (!(thrown instanceof Error)) throw thrown;
  if (finalErrors.has(thrown.name)) return { kind: 'refused', code: thrown.name, reason: thrown.message };
  const wasAnswered = '$response' in thrown && thrown.$response !== undefined;
  const systemCode = 'code' in thrown ? String(thrown.code) : '';
  return wasAnswered || neverConnected.has(systemCode) ? { kind: 'unavailable' } : { kind: 'unknown' };
};
