import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startPublisher } from './publisher.ts';
import { compose, recordNotifications, temporaryDirectory } from './ses-fixture.ts';
import { simulate } from './ses-simulator.ts';
import { openMailStore } from './ses-store.ts';
import { readSubmission } from './ses-submission.ts';

it('the publisher gives up a notification that is refused for two minutes, logs it, and continues with the next one', async () => {
  const form = new URLSearchParams({ 'RawMessage.Data': (await compose({})).toString('base64') });
  const notifications = simulate(await readSubmission(form, new Date()), new Date());
  const store = openMailStore(temporaryDirectory());
  onTestFinished(() => store.close());
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const complaint = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => complaint.mockRestore());

  const { record, eventTypes } = recordNotifications();
  const publisher = startPublisher(store, (notification) => {
    record(notification);
    if (notification.eventType === 'Send') throw new Error('never');
  });
  const outgoing = { messageId: 'm-1', notifications, failures: 0, dueAtMs: Date.now() };
  store.saveOutgoing(outgoing);
  publisher.schedule(outgoing);
  await vi.advanceTimersByTimeAsync(120_000);

  expect(eventTypes()).toEqual([...Array(9).fill('Send'), 'Delivery']);
  expect(complaint).toHaveBeenCalledExactlyOnceWith(
    'The Send notification of m-1 is given up.',
    expect.objectContaining({ message: 'never' }),
  );
  expect(store.outgoing()).toEqual([]);
});

it('the publisher goes on while its notifications cannot be recorded, as on a full disk', async () => {
  const form = new URLSearchParams({ 'RawMessage.Data': (await compose({})).toString('base64') });
  const notifications = simulate(await readSubmission(form, new Date()), new Date());
  const dataDirectory = temporaryDirectory();
  const store = openMailStore(dataDirectory);
  onTestFinished(() => store.close());
  const complaint = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => complaint.mockRestore());
  const file = new DatabaseSync(join(dataDirectory, 'ses.sqlite'));
  onTestFinished(() => file.close());

  const { record, eventTypes } = recordNotifications();
  const publisher = startPublisher(store, record);
  onTestFinished(() => publisher.close());
  const outgoing = { messageId: 'm-1', notifications, failures: 0, dueAtMs: Date.now() };
  store.saveOutgoing(outgoing);
  file.exec('BEGIN IMMEDIATE');
  publisher.schedule(outgoing);
  await expect.poll(eventTypes).toEqual(['Send', 'Delivery']);
  expect(complaint).toHaveBeenCalledOnce();
});
