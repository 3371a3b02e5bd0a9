import type { Mistake } from './mistake.ts';

const paused = 'a subscription is paused when all its deliveries have failed for five days, and not before';
const heard = 'admins hear of the pause of a failing subscription, when it happens';
const replayed = 'what a failing subscription has missed is delivered by a replay of all since it says so';
const marked = 'a text without a report is marked when 72 hours are over, and not before';
const counted = 'a report that comes after days counts, whatever was assumed before';
const kept = 'an idempotency key makes nothing again for 24 hours';
const found =
  'money that comes within 72 hours is found by the next check that reaches the gateway, or a person is told after the last';
const refunded =
  'a refund that bKash cannot take, because it is out of order, is made by the next check that reaches it';
const waited = 'an email that is asked for while SES takes none is sent once when it does';
const erased =
  'what is left of a person a day after an erasure is erased by the next one, but answers under idempotency keys';
const unsent = 'a person of whom an erasure left nothing is sent nothing that was accepted before it';
const free = 'an idempotency key is free when its 24 hours are over';

/** Mistakes with what lasts for days that the simulation must find. */
export const daysMistakes: readonly Mistake[] = [
  {
    name: 'a subscription is paused after four days',
    file: 'shared/webhooks/webhook.ts',
    find: 'const failsForMs = 5 * 24',
    replace: 'const failsForMs = 4 * 24',
    breaks: [paused],
  },
  {
    name: 'who resumes an active subscription begins its five days anew',
    file: 'shared/table/webhooks/webhook-store.ts',
    find: 'activeSinceMs = if_not_exists(activeSinceMs, :activeSince)',
    replace: 'activeSinceMs = :activeSince',
    breaks: [paused],
  },
  {
    name: 'a success does not end the days in which all fails',
    file: 'shared/webhooks/tally.ts',
    find: "lastSentAt: state === 'succeeded' ? at : undefined,",
    replace: 'lastSentAt: undefined,',
    breaks: [paused],
  },
  {
    name: 'the pause of a failing subscription is told to nobody',
    file: 'functions/notices/give-notice/mail-pause.ts',
    find: 'if (!webhook || webhook.isActive) return;',
    replace: 'if (!webhook || webhook.isActive || webhook.missedSince !== undefined) return;',
    breaks: [heard],
  },
  {
    name: 'a paused subscription says since when it fails, and not since when it misses',
    file: 'functions/webhooks/attempt-delivery/pause-failing.ts',
    find: 'missedSince: iso(missedMs ?? untilMs)',
    replace: 'missedSince: iso(untilMs)',
    breaks: [replayed],
  },
  {
    name: 'a paused subscription that is paused again forgets since when it misses',
    file: 'shared/table/webhooks/webhook-store.ts',
    find: 'changes.isActive === false ? pause : write;',
    replace: 'changes.isActive === false && nowMs < 0 ? pause : write;',
    breaks: [replayed],
  },
  {
    name: 'a text is marked as unreported after two days',
    file: 'shared/messages/failures.ts',
    find: 'export const reportPatienceMs = 72 *',
    replace: 'export const reportPatienceMs = 48 *',
    breaks: [marked],
  },
  {
    name: 'a text that waited long for its time is not looked at again',
    file: 'functions/messages/send-scheduled/send-due.ts',
    find: "    if (Date.parse(scheduledAt) - Date.parse(createdAt) < roundFindsMs) return 'over';",
    replace: "    if (Date.parse(scheduledAt) - Date.parse(createdAt) >= 0) return 'over';",
    breaks: [marked],
  },
  {
    name: 'a report of a text that was marked changes nothing',
    file: 'shared/table/messages/message-items.ts',
    find: "...(stamps.includes('deliveredAt') && !failure ? ['failureCode', 'failureReason'] : []),",
    replace: '',
    breaks: [counted],
  },
  {
    name: 'the key of a message is free an hour too early',
    file: 'shared/table/accounts/idempotency-store.ts',
    find: 'const windowMs = 24 *',
    replace: 'const windowMs = 23 *',
    breaks: [kept],
  },
  {
    name: 'the key of a message is never free',
    file: 'shared/table/accounts/idempotency-store.ts',
    find: "if (Number(known['openedMs']) <= nowMs - windowMs) {",
    replace: "if (Number(known['openedMs']) <= 0 * nowMs) {",
    breaks: [free],
  },
  {
    name: 'the key of a session is free an hour too early',
    file: 'shared/table/checkout/session-store.ts',
    find: 'const keyWindowMs = 24 *',
    replace: 'const keyWindowMs = 23 *',
    breaks: [kept],
  },
  {
    name: 'the key of a session is asked for without a look at its time',
    file: 'shared/table/checkout/session-store.ts',
    find: "':windowStart': nowMs - keyWindowMs",
    replace: "':windowStart': 0 * nowMs",
    breaks: [free],
  },
  {
    name: 'a payment is asked about for a day only',
    file: 'shared/checkout/checks.ts',
    find: 'payment: [3_600, 21_600, 86_400, 259_200],',
    replace: 'payment: [3_600, 21_600, 86_400],',
    breaks: [found],
  },
  {
    name: 'a refund is asked about for six hours only',
    file: 'shared/checkout/checks.ts',
    find: 'refund: [3_600, 21_600, 86_400, 259_200, 604_800, 1_209_600, 2_592_000],',
    replace: 'refund: [3_600, 21_600],',
    breaks: [refunded],
  },
  {
    name: 'a scheduled email waits for its provider for two hours only',
    file: 'functions/messages/send-scheduled/send-due.ts',
    find: 'const patienceMs = 24 *',
    replace: 'const patienceMs = 2 *',
    breaks: [waited],
  },
  {
    name: 'an erasure takes a message whose events are being delivered',
    file: 'shared/table/data-subject/data-subject-store.ts',
    find: "  message: ['delivery', 'event'],",
    replace: '  message: [],',
    breaks: [erased],
  },
  {
    name: 'an erasure leaves a message that waits for its time',
    file: 'shared/table/data-subject/message-traces.ts',
    find: 'if (!(await scheduled.cancel(account, message, nowMs))) return false;',
    replace: 'if (nowMs > 0) return true;',
    breaks: [unsent, erased],
  },
];
