import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, timeOfId } from '../../../shared/kit/id.ts';
import { JsonText } from '../../../shared/kit/json-text.ts';
import { message } from '../../../shared/messages/message.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import { newTemplate, type Template } from '../../../shared/templates/template.ts';
import { countConsumption } from '../../../test/consumption.ts';
import { messageText } from '../../../test/message-text.ts';
import { openTexting, somePhone, type Texting } from './text-fixture.ts';

let texting: Texting;
beforeAll(async () => {
  texting = await openTexting();
});
afterAll(() => texting.world.close());

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const texts = ['sms', 'whatsapp'] as const;

describe('POST /messages', () => {
  it.each(texts)('201 queues a message by %s and answers it', async (channel) => {
    const { key, ref, phone, contactId } = await texting.reachable();
    const asked = { channel, to: phone, text: 'It works.', tags: ['a'], metadata: { n: 1 } };
    const { status, body } = await texting.send(asked, { key });
    expect([status, body]).toEqual([
      201,
      {
        data: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          channel,
          status: 'queued',
          to: phone,
          tags: ['a'],
          metadata: { n: 1 },
          createdAt: expect.stringMatching(instant),
          sentAt: null,
          deliveredAt: null,
          failedAt: null,
          failureReason: null,
          failureCode: null,
        },
      },
    ]);
    const { id } = body.data;
    const stored = { ...body.data, metadata: JsonText.of(asked.metadata) };
    expect(await texting.world.messages.find(ref, id)).toMatchObject({ ...stored, contactId });
    expect(await messageText(texting.world, ref, id)).toMatchObject({ text: 'It works.', message: stored });
    expect(await texting.world.table.get(itemKeys.message(ref.id, channel, 0, id))).toMatchObject({
      origin: 'api',
      channel,
    });
  });

  it.each([
    ['masked', 'x'.repeat(160), { smsMasked: 99, smsNonMasked: 100 }],
    ['masked', 'x'.repeat(161), { smsMasked: 98, smsNonMasked: 100 }],
    ['non_masked', 'অ'.repeat(670), { smsMasked: 100, smsNonMasked: 90 }],
  ] as const)('201 takes the segments of an sms off the %s counter', async (senderKind, text, credits) => {
    const sms = { sender: 'Shop', senderKind, provider: null, messagesPerSecond: null };
    const { key, ref, phone } = await texting.reachable({ settings: { sms } });
    expect((await texting.send({ channel: 'sms', to: phone, text }, { key })).status).toBe(201);
    expect(await texting.world.accounts.credits(ref.id)).toEqual({ email: 100, ...credits });
  });

  it('201 takes nothing for whatsapp, also from an account that has nothing, and can give it back', async () => {
    const none = { email: 0, smsMasked: 0, smsNonMasked: 0 };
    const { key, ref, phone } = await texting.reachable({ credits: none });
    const { status, body } = await texting.send({ channel: 'whatsapp', to: phone, text: 'Hi' }, { key });
    expect(status).toBe(201);
    const found = await messageText(texting.world, ref, body.data.id);
    const failure = { code: 'x', reason: 'y' };
    if (!found) throw new Error('no such text');
    expect(await texting.world.messages.fail(ref, found.message, 'sendFailed', failure, Date.now())).toBe(true);
    expect(await texting.world.accounts.credits(ref.id)).toEqual(none);
  });

  it('201 gives the credits of an sms back when it fails', async () => {
    const { key, ref, phone } = await texting.reachable();
    const { body } = await texting.send({ channel: 'sms', to: phone, text: 'x'.repeat(161) }, { key });
    const found = await messageText(texting.world, ref, body.data.id);
    if (!found) throw new Error('no such text');
    await texting.world.messages.fail(ref, found.message, 'sendFailed', { code: 'x', reason: 'y' }, Date.now());
    expect((await texting.world.accounts.credits(ref.id))?.smsMasked).toBe(100);
  });

  it('201 knows a number with and without its plus, and shows it as it was sent', async () => {
    const { key, ref, phone } = await texting.reachable();
    for (const to of [phone, phone.slice(1)]) {
      expect((await texting.send({ channel: 'sms', to, text: 'Hi' }, { key })).body.data.to).toBe(to);
    }
    expect(await texting.traces(ref)).toMatchObject({ messages: 2, contacts: 1 });
  });

  it('201 makes a contact of a new recipient by whatsapp, of source api', async () => {
    const { world } = texting;
    const { key, ref } = await world.newAccount();
    const phone = somePhone();
    await world.windows.open(ref, phone, Date.now());
    expect((await texting.send({ channel: 'whatsapp', to: phone.slice(1), text: 'Hi' }, { key })).status).toBe(201);
    const { holder } = await world.sends.read(ref, { channel: 'sms', contact: { phone } });
    expect(await world.contacts.find(ref, holder?.contactId ?? '')).toMatchObject({
      phone,
      email: null,
      source: 'api',
      status: 'active',
    });
  });

  it('201 sends what only a template says, filled in, and ignores what is not text', async () => {
    const { world } = texting;
    const { key, ref, phone } = await texting.reachable();
    const store = async (changes: Partial<Template>) => {
      const template = { ...newTemplate({ channel: 'sms', name: 'Code' }, newId(Date.now())), ...changes };
      await world.templates.put(ref, template, { text: 'Code {{code}}' });
      return template.id;
    };
    const ids = { sms: await store({}), whatsapp: await store({ channel: 'whatsapp', whatsappStatus: 'APPROVED' }) };
    for (const channel of texts) {
      const asked = {
        channel,
        to: phone,
        templateId: ids[channel],
        variables: { code: '<7>' },
        subject: 's',
        html: 'h',
      };
      const { body } = await texting.send(asked, { key });
      expect((await messageText(world, ref, body.data.id))?.text).toBe('Code <7>');
      const own = await texting.send({ ...asked, text: 'Own {{code}}' }, { key });
      expect((await messageText(world, ref, own.body.data.id))?.text).toBe('Own <7>');
    }
  });

  it.each(texts)(
    '400 refuses %s of nothing but blanks as it refuses none, and says when only its variables make it blank',
    async (channel) => {
      const refusal = async (text: string) => {
        const { status, body } = await texting.send({ channel, to: somePhone(), text, variables: { x: ' ' } });
        return [text, status, body.error?.message];
      };
      for (const text of ['   ', '\n\t', '\u00a0', ''])
        expect(await refusal(text)).toEqual([text, 400, 'text: is required']);
      expect(await refusal('{{x}}')).toEqual(['{{x}}', 400, 'text: must not be blank with its variables expanded']);
    },
  );

  it.each(texts)(
    '201 ignores the subject and the name of the sender on %s, regardless of what they are',
    async (channel) => {
      const { key, phone } = await texting.reachable();
      for (const ignored of ['a\r\nb', 'x'.repeat(501), 'a "b"']) {
        const asked = { channel, to: phone, text: 'Hi', subject: ignored, fromName: ignored };
        expect((await texting.send(asked, { key })).status).toBe(201);
      }
    },
  );

  it('400 refuses a text that is too long once it is filled in, before it looks at the number', async () => {
    const refusal = async (body: object) => {
      const answer = await texting.send({ to: 'x', variables: { x: 'x'.repeat(1_000) }, ...body });
      return [answer.status, answer.body.error?.code, answer.body.error?.message];
    };
    expect(await refusal({ channel: 'sms', text: '{{x}}{{x}}' })).toEqual([
      400,
      'invalid_request',
      'text: must be at most 10 segments with its variables expanded',
    ]);
    expect(await refusal({ channel: 'whatsapp', text: '{{x}}{{x}}{{x}}{{x}}{{x}}' })).toEqual([
      400,
      'invalid_request',
      'text: must be at most 4096 characters with its variables expanded',
    ]);
    expect((await refusal({ channel: 'sms', text: '{{x}}' }))[1]).toBe('invalid_recipient');
  });

  it('201 stores when a text expires, with the same answer as without; 400 refuses a time out of range', async () => {
    const { key, ref, phone } = await texting.reachable();
    const send = (expiresInSeconds: unknown) =>
      texting.send({ channel: 'sms', to: phone, text: 'Your code is 42', expiresInSeconds }, { key });
    const stored = async (id: string) => {
      const found = await texting.world.messages.find(ref, id);
      return found?.expiresMs && found.expiresMs - timeOfId(id);
    };
    for (const [seconds, expected] of [
      [60, 60_000],
      [86_400, 86_400_000],
      [null, undefined],
    ] as const) {
      const { status, body } = await send(seconds);
      const fields = Object.keys(message.shape).filter((name) => name !== 'scheduledAt');
      expect([status, Object.keys(body.data)]).toEqual([201, fields]);
      expect(await stored(body.data.id)).toBe(expected);
    }
    for (const wrong of [59, 86_401, 90.5, '60', 0]) {
      const { status, body } = await send(wrong);
      expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
    }
  });

  it('201 counts the time of a text from its acceptance, when the first request with its Idempotency-Key failed long before', async () => {
    const { ref, phone } = await texting.reachable();
    const nowMs = Date.now();
    const body = { channel: 'sms', to: phone, text: 'Your code is 42', expiresInSeconds: 120 };
    const { id } = await texting.sendAs(newId(nowMs - 130_000), body, ref, { nowMs, isResumed: true });
    expect((await texting.world.messages.find(ref, id))?.expiresMs).toBe(nowMs + 120_000);
  });

  it('201 needs four calls to the table, with and without a cap; a refusal needs three', async () => {
    const frequencyCap = { max: 10, windowSeconds: 60 };
    const [free, capped] = [await texting.reachable(), await texting.reachable({ settings: { frequencyCap } })];
    const nowMs = Date.now();
    const send = async (body: object, { key, phone }: typeof free) => {
      const sent = { channel: 'sms', to: phone, text: 'Hi', ...body };
      expect((await texting.send(sent, { key, clock: () => nowMs })).status).toBe('to' in body ? 422 : 201);
    };
    await send({}, free);
    await send({}, capped);
    const consumption = countConsumption(texting.world.calls);
    const cost = (body: object, account: typeof free) => consumption.of(() => send(body, account));
    expect(await cost({ channel: 'sms' }, free)).toEqual({ calls: 4, units: 16 });
    expect(await cost({ channel: 'sms' }, capped)).toEqual({ calls: 4, units: 19 });
    expect(await cost({ channel: 'whatsapp' }, free)).toEqual({ calls: 4, units: 15 });
    expect(await cost({ channel: 'whatsapp' }, capped)).toEqual({ calls: 4, units: 18 });
    expect(await cost({ to: somePhone() }, free)).toEqual({ calls: 3, units: 7 });
  });

  it('201 replays under an idempotency key, and takes one slot and one credit', async () => {
    const frequencyCap = { max: 1, windowSeconds: 60 };
    const { key, ref, phone, contactId } = await texting.reachable({ settings: { frequencyCap } });
    const headers = { 'idempotency-key': 'k' };
    const send = () => texting.send({ channel: 'sms', to: phone, text: 'Hi' }, { key, headers });
    const [first, second] = [await send(), await send()];
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(second.headers['Idempotent-Replay']).toBe('true');
    expect(await texting.traces(ref)).toMatchObject({ messages: 1 });
    expect(await texting.slots(ref.id, contactId)).toBe(1);
  });

  it.each(texts)(
    '201 accepts %s once when a request is repeated under its id, also at the same time and under a full cap',
    async (channel) => {
      const { world } = texting;
      const { ref } = await world.newAccount({ settings: { frequencyCap: { max: 1, windowSeconds: 60 } } });
      const phone = somePhone();
      if (channel === 'sms') await texting.consent(ref, await texting.newContact(ref, phone));
      await world.windows.open(ref, phone, Date.now());
      const id = newId(Date.now());
      const send = () => texting.sendAs(id, { channel, to: phone, text: 'Hi' }, ref);
      const answers = [...(await Promise.all([send(), send(), send()])), await send()];
      expect(answers.map((message) => [message.id, message.status])).toEqual(Array(4).fill([id, 'queued']));
      expect(await texting.traces(ref)).toMatchObject({ messages: 1, contacts: 1 });
      const { holder } = await world.sends.read(ref, { channel: 'sms', contact: { phone } });
      expect(await texting.slots(ref.id, holder?.contactId ?? '')).toBe(1);
      expect((await world.accounts.credits(ref.id))?.smsMasked).toBe(channel === 'sms' ? 99 : 100);
    },
  );

  it('201 answers with the first message when a request is repeated under its id on another channel', async () => {
    const { ref } = await texting.world.newAccount();
    const [id, phone] = [newId(Date.now()), somePhone()];
    await texting.consent(ref, await texting.newContact(ref, phone));
    await texting.world.windows.open(ref, phone, Date.now());
    const send = (channel: string, isResumed: boolean) =>
      texting.sendAs(id, { channel, to: phone, text: 'Hi' }, ref, { isResumed });
    const first = await send('sms', false);
    expect(await send('whatsapp', true)).toMatchObject({ id, channel: 'sms' });
    expect(first).toMatchObject({ id, channel: 'sms' });
    expect(await texting.traces(ref)).toMatchObject({ messages: 1 });
  });

  it('201 leaves nothing of the text and the number to be read in the table', async () => {
    const { key, phone } = await texting.reachable({ settings: { frequencyCap: { max: 5, windowSeconds: 60 } } });
    for (const channel of texts) {
      await texting.send({ channel, to: phone, text: 'Umbrella', metadata: { of: 'Lighthouse' } }, { key });
    }
    const seen = (value: unknown): string[] => {
      if (value instanceof Uint8Array) return [Buffer.from(value).toString('latin1')];
      if (typeof value !== 'object' || value === null) return [String(value)];
      return Object.entries(value).flatMap(([name, inner]) => [name, ...seen(inner)]);
    };
    const dump = seen(await texting.world.scan()).join('\n');
    for (const secret of ['Umbrella', 'Lighthouse', phone.slice(1)]) expect(dump).not.toContain(secret);
  });
});
