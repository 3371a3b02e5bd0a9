import type { SesEvent, SesNotification } from './ses-notification.ts';
import { bounceOf, complaintOf, deliveryOf, describeMail } from './ses-simulator.ts';
import type { CaughtMail } from './ses-store.ts';
import { readAddress } from './ses-submission.ts';

type Play = (recipients: string[], sentAt: Date, nowAt: Date) => SesEvent;

const userAgent = 'Mozilla/5.0';
const ipAddress = '127.0.0.1';

const plays = {
  delivery: deliveryOf,
  open: (_, __, nowAt) => ({ eventType: 'Open', open: { timestamp: nowAt.toISOString(), userAgent, ipAddress } }),
  click: (_, __, nowAt) => ({
    eventType: 'Click',
    click: { timestamp: nowAt.toISOString(), userAgent, ipAddress, link: 'https://example.com/', linkTags: null },
  }),
  bounce: (recipients, _, nowAt) => bounceOf(recipients, 'General', 'smtp; 550 5.1.1 user unknown', nowAt),
  'soft-bounce': (recipients, _, nowAt) => {
    const { bounce } = bounceOf(recipients, 'General', 'smtp; 452 4.2.2 mailbox full', nowAt);
    const soft = bounce.bouncedRecipients.map((one) => ({ ...one, status: '4.2.2' }));
    return { eventType: 'Bounce', bounce: { ...bounce, bounceType: 'Transient', bouncedRecipients: soft } };
  },
  complaint: (recipients, _, nowAt) => complaintOf(recipients, nowAt),
  reject: () => ({ eventType: 'Reject', reject: { reason: 'Bad content' } }),
} as const satisfies Record<string, Play>;

export type MailPlay = keyof typeof plays;

/** The notifications of SES that can be played for a caught mail. */
export const mailPlays = Object.keys(plays) as MailPlay[];

/** The notification that SES would publish about this mail now. */
export const playMail = (what: MailPlay, mail: CaughtMail, nowAt: Date): SesNotification => {
  const recipients = Object.values(mail.destination).flat().map(readAddress);
  const at = new Date(mail.at);
  const { messageId, tags, configurationSetName } = mail;
  const described = {
    messageId,
    at,
    source: readAddress(mail.from),
    recipients,
    tags,
    configurationSetName,
    content: mail,
  };
  const play: Play = plays[what];
  return { ...play(recipients, at, nowAt), mail: describeMail(described) };
};
