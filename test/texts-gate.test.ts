import { beforeAll, expect, it } from 'vitest';
import { hourMs, minuteMs } from '../shared/kit/time-units.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';
import { phone, type TextCalls, textCalls, textTo } from './text-calls.ts';

// The gate of texts. A refusal names its rule and changes nothing, which `refusal` of text-calls.ts checks.

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
