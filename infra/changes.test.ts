import { expect, it } from 'vitest';
import type { ChangePattern } from '../shared/work/outbox.ts';
import { filtersOf } from './changes.ts';

it('a filter lets through what its patterns are about, and names a field only where all of them do', () => {
  const patterns: ChangePattern[] = [
    { isNew: true, is: { entity: ['message'], channel: ['sms'], status: ['queued'] } },
    { isNew: true, is: { entity: ['message'], channel: ['email'], status: ['sending'] } },
    { is: { entity: ['message'], channel: ['email'] }, becomes: { sentAt: 'set' } },
    { isNew: true, is: { entity: ['refund'] } },
    { was: { state: ['active'] }, is: { entity: ['webhook'] }, becomes: { state: ['paused'] } },
  ];
  expect(filtersOf(patterns)).toEqual([
    { eventName: ['INSERT', 'MODIFY'], newImage: { entity: ['message'], channel: ['email', 'sms'] } },
    { eventName: ['INSERT'], newImage: { entity: ['refund'] } },
    { eventName: ['INSERT', 'MODIFY'], newImage: { entity: ['webhook'], state: ['paused'] } },
  ]);
});
