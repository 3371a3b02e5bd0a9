import { describe, expect, it } from 'vitest';
import type { SesNotification } from './emulators/ses.ts';
import { simulate } from './emulators/ses-simulator.ts';
import { readSubmission } from './emulators/ses-submission.ts';
import { compose } from './emulators/ses-testbed.ts';
import { mailEvents } from './mail-events.ts';

/** What SES tells of a mail that complains, by the configuration set that it went by. */
const notificationsOf = async (configurationSet: string | undefined): Promise<SesNotification[]> => {
  const raw = await compose({ to: 'complaint@simulator.amazonses.com' });
  const form = new URLSearchParams({ 'RawMessage.Data': raw.toString('base64') });
  if (configurationSet !== undefined) form.set('ConfigurationSetName', configurationSet);
  const now = new Date();
  return simulate(await readSubmission(form, now), now);
};

const toldOf = async (configurationSet: string | undefined) => {
  const told: string[] = [];
  const destinations = [
    { configurationSet: 'a', eventTypes: ['send', 'delivery', 'complaint'], topicArn: 'topic-1' },
    { configurationSet: 'a', eventTypes: ['complaint'], topicArn: 'topic-2' },
  ];
  const tell = mailEvents(destinations, {
    publish: async (topicArn, { message }) => void told.push(`${topicArn} ${JSON.parse(message).eventType}`),
  });
  for (const notification of await notificationsOf(configurationSet)) await tell(notification);
  return told;
};

describe('what SES tells of mail', () => {
  it('goes to each topic that the mail’s configuration set names for the kind of event', async () => {
    expect(await toldOf('a')).toEqual(['topic-1 Send', 'topic-1 Delivery', 'topic-1 Complaint', 'topic-2 Complaint']);
  });

  it('goes nowhere for a mail of another configuration set, or of none', async () => {
    expect([...(await toldOf('b')), ...(await toldOf(undefined))]).toEqual([]);
  });
});
