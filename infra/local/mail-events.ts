import type { MailEventsSpec } from './blueprint.ts';
import type { SesNotification } from './emulators/ses.ts';
import type { Sns } from './emulators/sns.ts';

/** The event's name in templates, which begins with a lower-case letter. */
const kindOf = ({ eventType }: SesNotification): string => eventType.charAt(0).toLowerCase() + eventType.slice(1);

/** Publishes an SES event to the topics of the mail's configuration set. Rejects when a topic does not accept it. */
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
