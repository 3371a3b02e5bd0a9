import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import type { TextJob } from '../../../shared/messages/jobs.ts';
import type { TextOutcome } from '../../../shared/providers/text/text-provider.ts';
import { endSend } from '../end-interrupted-send/end-send-fixture.ts';
import { openTexting, type Texting } from '../send-message/text-fixture.ts';
import { accepted, newBench, refused, unavailable, unknown } from './send-text-fixture.ts';

let texting: Texting;
beforeAll(async () => {
  texting = await openTexting();
});
afterAll(() => texting.world.close());

/** A contact with room for these texts, and texts to it that a worker has. */
const openCapped = async (max: number, count = max) => {
  const recipient = await texting.reachable({ settings: { frequencyCap: { max, windowSeconds: 3_600 } } });
  const { ref, phone, contactId } = recipient;
  const send = async (): Promise<TextJob> => {
    const { id } = await texting.sendAs(newId(Date.now()), { channel: 'sms', to: phone, text: 'Hi' }, ref);
    return { kind: 'text', account: ref.id, message: id, channel: 'sms' };
  };
  const jobs: TextJob[] = [];
  while (jobs.length < count) jobs.push(await send());
  return { send, jobs, slots: () => texting.slots(ref.id, contactId) };
};

describe('a slot of the frequency cap', () => {
  it('is free again when the provider refuses the text, so that the next one is accepted', async () => {
    const { send, jobs, slots } = await openCapped(2);
    await expect(send()).rejects.toMatchObject({ code: 'send_blocked' });
    await newBench(texting.world, { answer: () => refused }).give(...jobs.slice(0, 1));
    expect(await slots()).toBe(1);
    await send();
    expect(await slots()).toBe(2);
  });

  it('is free again for each of many texts that are refused at the same time', async () => {
    const { jobs, slots } = await openCapped(20, 8);
    const bench = newBench(texting.world, {
      answer: ({ messageId }) => (messageId === jobs[0]?.message ? accepted : refused),
    });
    await Promise.all([bench.give(...jobs.slice(0, 4)), bench.give(...jobs.slice(4))]);
    await bench.give(...jobs);
    expect(await slots()).toBe(1);
  });

  it('is free again when the text ends because its worker failed too often, unless its provider may have accepted it', async () => {
    const { jobs, slots } = await openCapped(2);
    const [unsent, uncertain] = jobs;
    if (!unsent || !uncertain) throw new Error('no text was accepted');
    await newBench(texting.world, { answer: () => unknown }).give(uncertain);
    const laterMs = Date.now() + 3_600_000;
    for (const job of [uncertain, unsent, unsent]) await endSend(texting.world)(job, laterMs);
    expect(await slots()).toBe(1);
  });

  it.each<[string, TextOutcome]>([
    ['accepts', accepted],
    ['may have accepted', unknown],
    ['does not accept for now', unavailable],
  ])('stays taken when the provider %s the text', async (_, outcome) => {
    const { jobs, slots } = await openCapped(2);
    await newBench(texting.world, { answer: () => outcome }).give(...jobs);
    expect(await slots()).toBe(2);
  });
});
