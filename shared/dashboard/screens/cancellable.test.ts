import { expect, it } from 'vitest';
import { isCancellable } from './cancellable.ts';

const scheduledAt = '2026-11-20T12:00:00.000Z';

it.each([
  [true, 'a scheduled text', { channel: 'sms', status: 'queued', scheduledAt }],
  [true, 'a scheduled email', { channel: 'email', status: 'queued', scheduledAt }],
  [true, 'an email that waits for the sending rate', { channel: 'email', status: 'queued' }],
  [false, 'a text that waits for its worker', { channel: 'sms', status: 'queued' }],
  [false, 'an email that is being sent', { channel: 'email', status: 'sending', scheduledAt }],
] as const)('isCancellable is %s of %s', (isExpected, _, message) => {
  expect(isCancellable(message)).toBe(isExpected);
});
