import { describe, expect, it } from 'vitest';
import type { SesNotification } from './emulators/ses.ts';
import { compose } from './emulators/ses-fixture.ts';
import { simulate } from './emulators/ses-simulator.ts';
import { readSubmission } from './emulators/ses-submission.ts';
import { mailEvents } from './mail-events.ts';

/** The event that SES publishes for a complaint about a mail sent with this configuration set. */
const notificationsOf = async (configurationSet: string | undefined): Promise<SesNotification[]> => {
  const raw = await compose({ to: 'complaint@simulator.amazonses.com' });
  const form = new URLSearchParams({ 'RawMessage.Data': raw.toString('base64') });
  if (configurationSet !== undefined) form.set('ConfigurationSetName', configurationSet);
  const now = new Date();
  return simulate(await readSubmission(form, now), now);
};

const publishedFor = async (configurationSet: string | undefined) => {
  const published: string[] = [];
  const destinations = [
    { configurationSet: 'a', eventTypes: ['send', 'delivery', 'complaint'], topicArn: 'topic-1' },
    { configurationSet: 'a', eventTypes: ['complaint'], topicArn: 'topic-2' },
  ];
  const publish = mailEvents(destinations, {
    publish: async (topicArn, { message }) => void published.push(`${topicArn} ${JSON.parse(message).eventType}`),
  });
  for (const notification of await notificationsOf(configurationSet)) await publish(notification);
  return published;
};

describe('an SES event', () => {
  it('goes to each topic that the mail’s configuration set names for its type', async () => {
    expect(await publishedFor('a')).toEqual([
      'topic-1 Send',
      'topic-1 Delivery',
      'topic-1 Complaint',
      'topic-2 Complaint',
    ]);
  });

  it('is dropped for a mail of another configuration set, or of none', async () => {
    expect([...(await publishedFor('b')), ...(await publishedFor(undefined))]).toEqual([]);
  });
});
