import { account, region } from '../local-region.ts';
import type { SesBounce, SesEvent, SesEventMail, SesNotification } from './ses-notification.ts';
import { type AcceptedMail, newMessageId } from './ses-submission.ts';

type Outcome = 'delivered' | 'bounced' | 'suppressed' | 'complained' | 'rejected';

/** By local part, as in the SES mailbox simulator, plus `reject`. Every other recipient gets the mail. */
const outcomes: ReadonlyMap<string, Outcome> = new Map([
  ['bounce', 'bounced'],
  ['suppressionlist', 'suppressed'],
  ['complaint', 'complained'],
  ['reject', 'rejected'],
]);

const simulatorAddress = /^([^+@]*)(?:\+[^@]*)?@simulator\.amazonses\.com$/i;

/** The events that SES publishes about the mail, in order. Its recipients answer at `settledAt`. */
export function simulate(accepted: AcceptedMail, settledAt: Date): SesNotification[] {
  const mail = describeMail(accepted);
  return eventsOf(accepted, settledAt).map((event) => ({ ...event, mail }));
}

function eventsOf({ recipients, at }: AcceptedMail, settledAt: Date): SesEvent[] {
  const { delivered, bounced, suppressed, complained, rejected } = Object.groupBy(recipients, outcomeOf);
  if (rejected) return [{ eventType: 'Reject', reject: { reason: 'Bad content' } }];

  const reached = [delivered, complained].flatMap((group) => group ?? []);
  const events = [
    { eventType: 'Send', send: {} },
    reached.length > 0 && deliveryOf(reached, at, settledAt),
    bounced && bounceOf(bounced, 'General', 'smtp; 550 5.1.1 user unknown', settledAt),
    suppressed && bounceOf(suppressed, 'Suppressed', 'Amazon SES has suppressed sending to this address', settledAt),
    complained && complaintOf(complained, settledAt),
  ] as const;
  return events.filter((event) => typeof event === 'object');
}

function outcomeOf(recipient: string): Outcome {
  const localPart = simulatorAddress.exec(recipient)?.[1] ?? '';
  return outcomes.get(localPart.toLowerCase()) ?? 'delivered';
}

export const deliveryOf = (recipients: string[], at: Date, settledAt: Date): SesEvent => ({
  eventType: 'Delivery',
  delivery: {
    timestamp: settledAt.toISOString(),
    processingTimeMillis: settledAt.getTime() - at.getTime(),
    recipients,
    smtpResponse: '250 2.6.0 Message received',
    reportingMTA: 'localhost',
  },
});

export const bounceOf = (
  recipients: string[],
  bounceSubType: SesBounce['bounceSubType'],
  diagnosticCode: string,
  settledAt: Date,
): Extract<SesEvent, { readonly eventType: 'Bounce' }> => ({
  eventType: 'Bounce',
  bounce: {
    bounceType: 'Permanent',
    bounceSubType,
    bouncedRecipients: recipients.map((emailAddress) => ({
      emailAddress,
      action: 'failed',
      status: '5.1.1',
      diagnosticCode,
    })),
    timestamp: settledAt.toISOString(),
    feedbackId: newMessageId(settledAt),
    reportingMTA: 'dsn; localhost',
  },
});

export const complaintOf = (recipients: string[], settledAt: Date): SesEvent => ({
  eventType: 'Complaint',
  complaint: {
    complainedRecipients: recipients.map((emailAddress) => ({ emailAddress })),
    complaintSubType: null,
    complaintFeedbackType: 'abuse',
    userAgent: 'Amazon SES Mailbox Simulator',
    timestamp: settledAt.toISOString(),
    arrivalDate: settledAt.toISOString(),
    feedbackId: newMessageId(settledAt),
  },
});

export function describeMail({
  messageId,
  at,
  source,
  recipients,
  tags,
  configurationSetName,
  content,
}: Omit<AcceptedMail, 'raw'>): SesEventMail {
  const domain = source.slice(source.lastIndexOf('@') + 1);
  const allTags = {
    'ses:operation': 'SendRawEmail',
    ...(configurationSetName !== null && { 'ses:configuration-set': configurationSetName }),
    'ses:source-ip': '127.0.0.1',
    'ses:from-domain': domain,
    'ses:caller-identity': 'local',
    ...tags,
  };
  return {
    timestamp: at.toISOString(),
    messageId,
    source,
    sourceArn: `arn:aws:ses:${region}:${account}:identity/${domain}`,
    sendingAccountId: account,
    destination: recipients,
    headersTruncated: false,
    headers: content.headers,
    commonHeaders: {
      from: [content.from],
      replyTo: content.replyTo,
      to: content.destination.to,
      cc: content.destination.cc,
      messageId,
      subject: content.subject,
    },
    tags: Object.fromEntries(Object.entries(allTags).map(([name, value]) => [name, [value]])),
  };
}
