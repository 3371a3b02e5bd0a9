import { expect, it } from 'vitest';
import { queueTexts } from './handler.ts';

const noted = () => {
  const jobs: unknown[] = [];
  return { jobs, send: async (more: readonly unknown[]) => void jobs.push(...more) };
};

const insert = (account: string, message: string, channel: string) => ({
  before: undefined,
  after: { account, SK: message, channel, status: 'queued', content: new Uint8Array(3) },
  sequence: '1',
  atMs: 0,
});

it('queues every text for the worker of its channel, by its ids alone', async () => {
  const texts = { sms: noted(), whatsapp: noted() };
  await queueTexts({ texts })([insert('a', 'm1', 'sms'), insert('a', 'm2', 'whatsapp'), insert('b', 'm3', 'sms')]);
  expect(texts.sms.jobs).toEqual([
    { account: 'a', message: 'm1', channel: 'sms' },
    { account: 'b', message: 'm3', channel: 'sms' },
  ]);
  expect(texts.whatsapp.jobs).toEqual([{ account: 'a', message: 'm2', channel: 'whatsapp' }]);
});

it('fails when a queue does not accept them, so that the stream repeats them', async () => {
  const broken = { send: async () => Promise.reject(new Error('no')) };
  await expect(queueTexts({ texts: { sms: broken, whatsapp: noted() } })([insert('a', 'm', 'sms')])).rejects.toThrow();
});
