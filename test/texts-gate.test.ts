import { beforeAll, describe, expect, it } from 'vitest';
import { hourMs, minuteMs } from '../shared/kit/time-units.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';
import { phone, type TextCalls, textCalls, textTo } from './text-calls.ts';

// The gate and prices of texts. A refusal names its rule and changes nothing, which `refusal` of text-calls.ts checks.

let stack: SharedStack;
let calls: TextCalls;
beforeAll(async () => {
  stack = await shareTestStack();
  calls = textCalls(stack);
});

const gtube = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';
const spam = 'The spam scan rejects the content (gtube).';
const unsubscribed = 'The contact has unsubscribed. A new consent to sms lifts this.';
const blocked = (message: unknown) => [422, 'send_blocked', message];

/** Quiet hours given as hours from now, in local time of the zone, and their end. */
const quietIn = (timeZone: string, fromHours: number, toHours: number) => {
  const nowMs = Math.floor(Date.now() / minuteMs) * minuteMs;
  const shown = (hours: number) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(nowMs + hours * hourMs);
  return {
    quietHours: { start: shown(fromHours), end: shown(toHours) },
    reason: `Quiet hours apply at the recipient: sending is possible from ${new Date(nowMs + toHours * hourMs).toISOString()}.`,
  };
};

it('422 names the first failed rule, and then the next', async () => {
  const account = await calls.newAccount({
    settings: { frequencyCap: { max: 1, windowSeconds: 3_600 } },
    credits: { smsMasked: 1 },
  });
  const { setStatus, setConsent } = calls.contactCalls(await account.contact(phone));
  const { body } = await account.send(textTo('sms', phone));
  const freeAt = new Date(Date.parse(body.data.createdAt) + hourMs).toISOString();
  const quiet = quietIn('Asia/Dhaka', -1, 2);
  await account.change({ status: 'frozen', quietHours: quiet.quietHours });
  await setStatus('quarantined');
  await setConsent('sms', 'withdrawn');
  await account.become(body.data.id, 'delivered');

  let text = gtube;
  const refusal = () => account.refusal(textTo('sms', phone, text));
  const steps: readonly (readonly [string, () => unknown])[] = [
    ['The account is frozen.', () => account.change({ status: 'active' })],
    [
      spam,
      () => {
        text = 'It works.';
      },
    ],
    ['The contact is quarantined.', () => setStatus('unsubscribed')],
    [unsubscribed, () => setStatus('active')],
    [
      'The contact has withdrawn its consent to sms. A new consent to sms lifts this.',
      () => setConsent('sms', 'active'),
    ],
    [quiet.reason, () => account.change({ quietHours: null })],
    [
      `The frequency cap for this contact is reached: sending is possible from ${freeAt}.`,
      () => account.change({ frequencyCap: null }),
    ],
  ];
  for (const [reason, mend] of steps) {
    expect(await refusal()).toEqual(blocked(reason));
    await mend();
  }
  expect(await refusal()).toEqual([402, 'insufficient_credits', expect.stringContaining('smsMasked')]);
  await stack.admin('PUT', `${account.path}/credits`, { email: 0, smsMasked: 1, smsNonMasked: 0 });
  await account.accepted(textTo('sms', phone));
});

it('quiet hours are those of a clock in the recipient’s country', async () => {
  const to = '+9779841001234';
  const account = await calls.newAccount();
  await account.contact(to);
  const [now, later] = [quietIn('Asia/Kathmandu', -1, 1), quietIn('Asia/Kathmandu', 1, 2)];
  const elsewhere = { ...now.quietHours, countries: ['JP', 'GB'] };
  for (const quietHours of [now.quietHours, { ...now.quietHours, countries: ['JP', 'NP'] }]) {
    await account.change({ quietHours });
    expect(await account.refusal(textTo('sms', to))).toEqual(blocked(now.reason));
  }
  for (const quietHours of [later.quietHours, elsewhere, null]) {
    await account.change({ quietHours });
    await account.accepted(textTo('sms', to));
  }
});

it('12 concurrent sends: as many are accepted and charged as the frequency cap allows', async () => {
  const account = await calls.reachable({ settings: { frequencyCap: { max: 7, windowSeconds: 3_600 } } });
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => account.send(textTo('sms', phone, `No. ${n}`))),
  );
  const accepted = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ body }) => body.error?.code === 'send_blocked');
  expect([accepted.length, refused.length]).toEqual([7, 5]);
  expect((await account.creditsLeft()).smsMasked).toBe(993);
  const listed = (await account.read('/messages')).map(({ id }: { id: string }) => id);
  expect(listed.sort()).toEqual(accepted.map(({ body }) => body.data.id).sort());
});

it('a text costs its segments, from the counter of its sender', async () => {
  const credits = 2;
  const account = await calls.reachable({ credits: { smsNonMasked: credits } });
  const sms = textTo('sms', phone, 'অ'.repeat(71));
  await account.accepted(sms);
  expect(await account.creditsLeft()).toEqual({ email: 1_000, smsMasked: 1_000 - credits, smsNonMasked: credits });
  await account.change({ sms: { senderKind: 'non_masked' } });
  await account.accepted(sms);
  const left = { email: 1_000, smsMasked: 1_000 - credits, smsNonMasked: 0 };
  expect(await account.creditsLeft()).toEqual(left);
  const costs = `This send costs ${credits} smsNonMasked credits; the account has fewer.`;
  expect(await account.refusal(sms)).toEqual([402, 'insufficient_credits', costs]);
  await account.accepted({ ...sms, channel: 'whatsapp' });
  expect(await account.creditsLeft()).toEqual(left);
});

describe('400 and 404', () => {
  it('refuses texts that no phone can receive', async () => {
    const account = await calls.reachable();
    const sms = textTo('sms', phone);
    const refusals: readonly (readonly [object, number, string])[] = [
      [{ ...sms, text: 'x'.repeat(1_531) }, 400, 'invalid_request'],
      [{ ...sms, attachments: [{ filename: 'a.txt', content: 'YQ==' }] }, 400, 'invalid_attachment'],
      [{ ...sms, templateId: 'x' }, 404, 'template_not_found'],
      [{ ...sms, to: 'ada@example.com' }, 400, 'invalid_recipient'],
    ];
    for (const [sent, status, code] of refusals) {
      expect([sent, ...(await account.refusal(sent)).slice(0, 2)]).toEqual([sent, status, code]);
    }
  });

  it('accepts a number with and without its +, and fills in a template', async () => {
    const account = await calls.reachable();
    const template = { channel: 'sms', name: 'n', textContent: 'Hi {{ name }}, {{other}}' };
    const { body } = await account.api('POST', '/templates', template);
    const id = await account.accepted({
      channel: 'sms',
      to: phone.slice(1),
      templateId: body.data.id,
      variables: { name: 'Zoë' },
    });
    expect((await account.become(id, 'delivered')).to).toBe(phone.slice(1));
    const [caught] = (await calls.caughtBy(phone)).filter(({ messageId }) => messageId === id);
    expect(caught?.text).toBe('Hi Zoë, {{other}}');
    expect((await account.read('/contacts')).length).toBe(1);
  });
});
