import { causeOf, log } from '../../kit/log.ts';
import type { Mail, MailOutcome } from '../../messages/mail.ts';

interface Refusal {
  /** The names of SES's errors that begin like this. */
  readonly error: RegExp;
  /** What the message says, where the name is not enough. */
  readonly says?: (message: string, mail: Mail) => boolean;
  /** What an operator does about it. */
  readonly cure: string;
}

/** SES says it of each mail while AWS has suspended the account. */
const saysSuspended = (message: string): boolean => /sending (paused|suspended) for this account/i.test(message);

/** The account may send again when AWS lets it: the mail itself is not refused. */
export const isSuspended = ({ name, message }: Error): boolean => name === 'MessageRejected' && saysSuspended(message);

const isUnverified = (message: string): boolean => /not verified/i.test(message);

/** Refusals of SES that concern the deployment, not the mail. The first one that fits counts. */
export const refusals = {
  'access-denied': {
    error: /^AccessDenied/,
    cure: 'The role of the function may not send. Deploy again. If it stays so, look for a policy of the identity or of the AWS organization that denies ses:SendRawEmail.',
  },
  'no-configuration-set': {
    error: /^ConfigurationSetDoesNotExist/,
    cure: 'The configuration set of the stage was deleted. Restore it: detect drift of the data stack, then deploy it again.',
  },
  'stage-paused': {
    error: /^ConfigurationSetSendingPaused/,
    cure: 'The emails of the stage are paused. When the reason is over: npm run sending -- resume --stage <stage>.',
  },
  'sending-paused': {
    error: /SendingPaused/,
    cure: 'SES has paused sending. Read the reason in the SES console under “Reputation metrics” and “Account health”, answer AWS there, and resume sending.',
  },
  'sending-suspended': {
    error: /^MessageRejected/,
    says: saysSuspended,
    cure: 'AWS has suspended the sending of the account. Read the reason in the SES console under “Account health”, and answer AWS there. Emails are refused with 503 until then, and scheduled ones wait.',
  },
  'daily-quota': {
    error: /^(Throttling|LimitExceeded)/,
    says: (message) => /quota/i.test(message),
    cure: 'The daily sending quota of SES is used up. Ask AWS for a higher one: Service Quotas, Amazon SES, “Sending quota”.',
  },
  sandbox: {
    error: /^MessageRejected/,
    says: (message, { to }) => isUnverified(message) && message.toLowerCase().includes(to.toLowerCase()),
    cure: 'The AWS account is in the sandbox of SES, where recipients must be verified too. Ask AWS for production access in the SES console.',
  },
  'unverified-identity': {
    error: /^MessageRejected/,
    says: isUnverified,
    cure: 'The sender’s address or domain is not verified in SES in this region. Verify it in the SES console; PLATFORM_EMAIL and PEOPLE_EMAIL name the addresses of the platform.',
  },
  'unverified-mail-from': {
    error: /^MailFromDomainNotVerified/,
    cure: 'The MX record of the domain’s MAIL FROM is missing. Add the DNS records that the outputs of the data stack name.',
  },
} as const satisfies Record<string, Refusal>;

const all: readonly (readonly [string, Refusal])[] = Object.entries(refusals);

/** A mail that was not taken is a line of the log. An alarm rings where only an operator can help; the line says how. */
export const reportRefusal = (mail: Mail, outcome: MailOutcome): void => {
  if (!('cause' in outcome) || !(outcome.cause instanceof Error)) return;
  const { name, message } = outcome.cause;
  const [refusal, entry] = all.find(([, { error, says }]) => error.test(name) && (says?.(message, mail) ?? true)) ?? [];
  log(entry ? 'error' : 'warn', entry ? 'SES refuses our emails' : 'SES did not take an email', {
    accountId: mail.accountId,
    messageId: mail.messageId,
    outcome: outcome.kind,
    ...(entry && { refusal, cure: entry.cure, mailRefused: true }),
    ...causeOf(outcome.cause),
  });
};
