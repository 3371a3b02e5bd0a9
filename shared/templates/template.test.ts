import { describe, expect, it } from 'vitest';
import { newId } from '../kit/id.ts';
import { channels } from '../messages/message.ts';
import { isSendable, newTemplate } from './template.ts';

const id = newId(Date.UTC(2026, 10, 20, 12));

describe('newTemplate', () => {
  it('is active, in `en`, and as old as its id', () => {
    expect(newTemplate({ channel: 'email', name: 'n', subject: 's' }, id)).toEqual({
      id,
      channel: 'email',
      locale: 'en',
      name: 'n',
      description: null,
      subject: 's',
      variables: [],
      isActive: true,
      createdAt: '2026-11-20T12:00:00.000Z',
      updatedAt: '2026-11-20T12:00:00.000Z',
    });
  });

  it('has no subject on sms', () => {
    expect(newTemplate({ channel: 'sms', name: 'n', subject: 's' }, id)).not.toHaveProperty('subject');
  });
});

describe('isSendable', () => {
  it('is true on the template’s own channel while it is active', () => {
    for (const channel of channels) {
      for (const by of channels) {
        const template = { ...newTemplate({ channel: 'sms', name: 'n' }, id), channel };
        expect(isSendable(template, by)).toBe(channel === by);
        expect(isSendable({ ...template, isActive: false }, by)).toBe(false);
      }
    }
  });
});
