import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outbox } from '../../../infra/outbox.ts';
import { paymentJob } from '../../../shared/checkout/payment-job.ts';
import { supportedGateways } from '../../../shared/checkout/supported-gateways.ts';
import { textJob } from '../../../shared/messages/jobs.ts';
import type { Change } from '../../../shared/work/stream-reader.ts';
import { jobsFor, routed } from '../../../test/outbox-calls.ts';
import { routeChanges } from './handler.ts';

const atMs = 1_795_176_000_000;
const changed = (after: object | undefined, before?: object): Change => ({
  before: before && { ...before },
  after: after && { ...after },
  sequence: '1',
  atMs,
});

const message = (wishes: object = {}) => ({
  entity: 'message',
  origin: 'api',
  account: 'a',
  SK: 'm',
  channel: 'email',
  status: 'sending',
  sealed: new Uint8Array([1]),
  ...wishes,
});
const payment = (wishes: object = {}) => ({
  entity: 'payment',
  account: 'a',
  session: 's',
  payment: 'p',
  gatewayCode: 'bkash',
  status: 'PENDING',
  ...wishes,
});

describe('what follows from a change', () => {
  it('an email whose send begins is looked at when no request can still be processing it', async () => {
    const { INTERRUPTED_SENDS_QUEUE_URL: queued, ...others } = await routed([changed(message())]);
    const job = { account: 'a', message: 'm', channel: 'email', atMs };
    expect(queued).toEqual([{ job, delaySeconds: 'SEND_GIVE_UP_SECONDS'.length }]);
    expect(others).toEqual({});
  });

  it('an email whose send has ended before the outbox reads that it began is not looked at', async () => {
    const began = message({ PK: 'A', run: 'r' });
    const [sent, another] = [
      { ...began, status: 'sent' },
      { ...began, SK: 'n' },
    ];
    const queuedFor = async (...changes: readonly Change[]) =>
      ((await routed(changes))['INTERRUPTED_SENDS_QUEUE_URL'] ?? []).map(({ job }) => Reflect.get(job, 'message'));
    expect(await queuedFor(changed(began), changed(another), changed(sent, began))).toEqual(['n']);
    expect(await queuedFor(changed(began), changed({ ...began, sentAt: 't' }, began))).toEqual(['m']);
    expect(await queuedFor(changed(began), changed({ ...sent, PK: 'B' }))).toEqual(['m']);
  });

  it('what is stored beside a message is looked at when no request can still be about to accept it', async () => {
    const beside = { entity: 'message-body', account: 'a', message: 'm', channel: 'email', SK: 'b', sealed: 'x' };
    const { INTERRUPTED_SENDS_QUEUE_URL: queued } = await routed([changed(beside)]);
    const job = { kind: 'body', account: 'a', message: 'm', channel: 'email', body: 'b', atMs };
    expect(queued).toEqual([{ job, delaySeconds: 60 }]);
  });

  it('a text that was accepted is queued for its channel’s worker', async () => {
    const texts = ['sms', 'whatsapp'].map((channel) => changed(message({ channel, status: 'queued' })));
    const ids = { kind: 'text', account: 'a', message: 'm' };
    expect(await jobsFor('sms', textJob, texts)).toEqual([{ ...ids, channel: 'sms' }]);
    expect(await jobsFor('whatsapp', textJob, texts)).toEqual([{ ...ids, channel: 'whatsapp' }]);
    const expiring = changed(message({ channel: 'sms', status: 'queued', expiresMs: 5 }));
    expect(await jobsFor('sms', textJob, [expiring])).toEqual([{ ...ids, channel: 'sms', expiresMs: 5 }]);
  });

  it('a scheduled message is queued when it no longer waits, and an email is watched each time that it is begun', async () => {
    const held = { scheduledAt: 't', held: 'beside' };
    const sms = { channel: 'sms', status: 'queued' };
    const none = [message({ ...held, ...sms }), message({ ...held, status: 'queued' })].map((row) => changed(row));
    expect(await routed(none)).toEqual({});
    const text = changed(message({ ...sms, scheduledAt: 't' }), message({ ...sms, ...held }));
    expect(await jobsFor('sms', textJob, [text])).toMatchObject([{ message: 'm', channel: 'sms' }]);
    for (const status of ['queued', 'sending']) {
      const email = changed(message({ scheduledAt: 't' }), message({ ...held, status }));
      expect(Object.keys(await routed([email]))).toEqual(['INTERRUPTED_SENDS_QUEUE_URL']);
    }
  });

  it.each(Object.entries(supportedGateways))(
    'a new payment at %s is watched, and opened unless it is simulated',
    async (gatewayCode, { isSimulator }) => {
      const ids = { account: 'a', session: 's', payment: 'p' };
      const opening = isSimulator ? [] : [{ kind: 'open', ...ids, attempt: 1 }];
      const jobs = await jobsFor('payments', paymentJob, [changed(payment({ gatewayCode }))]);
      expect(jobs).toEqual([...opening, { kind: 'watch', ...ids }]);
    },
  );

  it('a duplicate notification comes three times, a refund is made, and nothing follows from a session', async () => {
    const changes = [
      changed(payment({ gatewayCode: 'sim_card', chaos: 'duplicate_notification' })),
      changed({ entity: 'refund', account: 'a', session: 's', refund: 'r', status: 'PENDING', isAutomatic: false }),
      changed({ entity: 'checkout-session', account: 'a', session: 's' }),
    ];
    const kinds = (await jobsFor('payments', paymentJob, changes)).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['refund', 'resolve', 'resolve', 'resolve', 'watch']);
  });

  it('a payment is asked about at once when a review has rejected what its gateway had reported', async () => {
    const held = payment({ mark: 'held' });
    const changes = [
      changed(payment({ status: 'FAILED' }), held),
      changed(payment({ status: 'EXPIRED' }), payment({ status: 'EXPIRED', mark: 'held' })),
      changed(payment({ status: 'SUCCEEDED' }), held),
      changed(payment({ status: 'SUCCEEDED', mark: 'surplus' }), held),
      changed(payment({ status: 'FAILED', polledMs: 1 }), payment({ status: 'FAILED' })),
    ];
    const jobs = await jobsFor('payments', paymentJob, changes);
    expect(jobs).toEqual([1, 2].map(() => expect.objectContaining({ kind: 'resolve', session: 's', payment: 'p' })));
  });

  it('nothing follows from a deletion, a change of other things, or a message that another service sent', async () => {
    const ended = message({ status: 'delivered', sentAt: 't', deliveredAt: 't' });
    const none = [
      changed(undefined, message()),
      changed(message({ claim: 'c' }), message()),
      changed({ ...ended, status: 'opened' }, ended),
      changed(message({ origin: 'campaign', status: 'sent', sentAt: 't' })),
      changed(payment({ polledMs: 1 }), payment()),
      changed({ entity: 'contact', account: 'a' }),
    ];
    expect(await routed(none)).toEqual({});
  });

  it('jobs name their account to the queue, so that those of one do not hold up the others; a sign-in has none', () => {
    expect(outbox.filter(({ carries }) => !('account' in carries)).map(({ kind }) => kind)).toEqual(['sign-in']);
  });

  it('jobs carry attributes that are neither encrypted nor a customer’s', () => {
    const attributes = outbox.flatMap(({ carries, was = {} }) => [...Object.values(carries), ...Object.values(was)]);
    // The keys of people hold keyed fingerprints.
    const ids = ['PK', 'SK', 'account', 'message', 'run', 'place', 'session', 'payment', 'refund'];
    const states = [
      'channel',
      'status',
      'sentAt',
      'deliveredAt',
      'failedAt',
      'failureCode',
      'mark',
      'isAutomatic',
      'expiresMs',
      'price',
    ];
    expect([...new Set(attributes)].sort()).toEqual([...ids, ...states].sort());
  });
});

describe('the reader of the outbox', () => {
  it('returns exactly the changes with a job that a queue did not take, and queues the jobs of all others', async () => {
    const kinds = [message(), message({ channel: 'sms', status: 'queued' }), payment(), { entity: 'contact' }];
    const some = fc.array(fc.tuple(fc.nat(kinds.length - 1), fc.boolean()), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(some, async (chosen) => {
        const changes = chosen.map(([kind], n) => changed({ ...kinds[kind], SK: `m${n}`, payment: `p${n}` }));
        const isRefused = (change: Change) => chosen[changes.indexOf(change)]?.[1] === true;
        const queued: Change[] = [];
        const route = routeChanges({
          outbox,
          queueOf: () => ({
            sendEach: async (entries) => {
              const changeOf = (entry: object) => ('change' in entry ? (entry.change as Change) : expect.fail());
              queued.push(...entries.map(changeOf).filter((change) => !isRefused(change)));
              return entries.filter((entry) => isRefused(changeOf(entry))).map((entry) => ({ entry, isPassing: true }));
            },
          }),
          delaySecondsOf: () => 0,
        });
        const isWanted = ({ after }: Change) => after?.['entity'] !== 'contact';
        expect([...(await route(changes)).keys()]).toEqual(
          expect.arrayContaining(changes.filter((change) => isWanted(change) && isRefused(change))),
        );
        expect(new Set(queued)).toEqual(new Set(changes.filter((change) => isWanted(change) && !isRefused(change))));
      }),
      { numRuns: 30 },
    );
  });
});
