import type { MailEventsSpec } from './blueprint.ts';
import type { SesNotification } from './emulators/ses.ts';
import type { Sns } from './emulators/sns.ts';

/** What templates call an event: its name with a small letter in front. */
const kindOf = ({ eventType }: SesNotification): string => eventType.charAt(0).toLowerCase() + eventType.slice(1);

/** Takes what SES tells of a mail where the mail's configuration set wants it; rejects when it did not get there. */
export const mailEvents =
  (destinations: readonly MailEventsSpec[], sns: Pick<Sns, 'publish'>) =>
  async (notification: SesNotification): Promise<void> => {
    const sets = notification.mail.tags['ses:configuration-set'] ?? [];
    for (const { configurationSet, eventTypes, topicArn } of destinations) {
      if (!sets.includes(configurationSet) || !eventTypes.includes(kindOf(notification))) continue;
      await sns.publish(topicArn, {
        subject: 'Amazon SES Email Event Notification',
        message: JSON.stringify(notification),
      });
    }
  };
