import type { Mistake } from './mistake.ts';

const totals = 'totals equal finished deliveries';
const onceEach = 'every transition has its event, once';
const oneDelivery = 'every active subscription gets each event that it wants, as one delivery';
const noGap = 'sequence numbers have no gap';
const deliveriesEnd = 'every delivery ends, after a success or five attempts';
const abandoned = 'no work is given up or left hanging';

/** Mistakes with events and their deliveries that the simulation must find. */
export const webhookMistakes: readonly Mistake[] = [
  {
    name: 'an event gets a second number when it is published again',
    file: 'shared/table/webhooks/event-log-store.ts',
    find: `NOT contains(#marks, :mark\${n}) AND NOT contains(#turned, :mark\${n})`,
    replace: `(NOT contains(#marks, :mark\${n}) OR contains(#marks, :mark\${n})) AND NOT contains(#turned, :mark\${n})`,
    breaks: [onceEach, noGap],
  },
  {
    name: 'bounces are no events',
    file: 'functions/webhooks/publish-events/handler.ts',
    find: 'channel: job.channel }, job);',
    replace: "channel: job.channel }, job).filter((name) => name !== 'message.bounced');",
    breaks: [onceEach],
  },
  {
    name: 'the second of two subscriptions gets no events',
    file: 'shared/webhooks/publish.ts',
    find: 'const active = current.filter(({ isActive }) => isActive);',
    replace: 'const active = current.filter(({ isActive }) => isActive).slice(0, 1);',
    breaks: [oneDelivery],
  },
  {
    name: 'the third attempt is not queued',
    file: 'functions/webhooks/attempt-delivery/attempt-one.ts',
    find: "if (recorded.state === 'pending')",
    replace: "if (recorded.state === 'pending' && job.attempt !== 2)",
    breaks: [deliveriesEnd],
  },
  {
    name: 'attempts wait for the time of the next',
    file: 'shared/webhooks/retries.ts',
    find: 'waits[attempts - 1]',
    replace: 'waits[attempts]',
    breaks: ['attempts are made at the right instants'],
  },
  {
    name: 'attempts wait a hundred times as long',
    file: 'shared/webhooks/retries.ts',
    find: 'endedMs + (waits[attempts - 1] ?? 0) * 1_000',
    replace: 'endedMs + (waits[attempts - 1] ?? 0) * 100_000',
    breaks: ['all is over in bounded time', 'attempts are made at the right instants', deliveriesEnd],
  },
  {
    name: 'an event shows its message as it is now',
    file: 'functions/webhooks/publish-events/handler.ts',
    find: 'asItWas(message, state)',
    replace: 'message',
    breaks: ['an event is of its message or payment, as that was then'],
  },
  {
    name: 'a delivery ends after four attempts',
    file: 'shared/webhooks/retries.ts',
    find: 'waits.length + 1',
    replace: 'waits.length',
    breaks: [deliveriesEnd],
  },
  {
    name: 'an attempt is made again although its outcome is known',
    file: 'functions/webhooks/attempt-delivery/attempt-one.ts',
    find: "else if (delivery.state !== 'pending') return nothing;",
    replace:
      "else if (delivery.state !== 'pending' && job.attempt > 1) return nothing;\n    else if (delivery.state === 'succeeded') return attempt(job, loaded, surroundings);",
    breaks: ['what is recorded was called, and a success is not called again'],
  },
  {
    name: 'a line that died still counts',
    file: 'functions/webhooks/attempt-delivery/attempt-one.ts',
    find: "if (end === 'evicted') await attempts.countAlone(loaded);",
    replace: '',
    breaks: [totals],
  },
  {
    name: 'a line that does not know what it recorded leaves like any other',
    file: 'functions/webhooks/attempt-delivery/attempt-one.ts',
    find: '        doubt(job);\n',
    replace: '',
    breaks: [totals],
  },
  {
    name: 'a job waits for a line that has died',
    file: 'functions/webhooks/attempt-delivery/attempt-one.ts',
    find: "if (end === 'evicted') await attempts.countAlone(loaded);",
    replace: "if (end === 'evicted') throw new ComesBack(uncounted);",
    breaks: [abandoned, totals],
  },
  {
    name: 'failures are not counted',
    file: 'shared/webhooks/tally.ts',
    find: "totalFailed: step('totalFailed'),",
    replace: 'totalFailed: 0,',
    breaks: [totals],
  },
];
