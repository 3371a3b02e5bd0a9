import { newAccountSettings } from '../../../shared/accounts/account.ts';
import { sender } from '../../../shared/compliance/send.ts';
import { detailsOf } from '../../../shared/contacts/contact.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { newId } from '../../../shared/kit/id.ts';
import { iso } from '../../../shared/kit/time.ts';
import type { ScheduledJob } from '../../../shared/messages/jobs.ts';
import { scheduledJob } from '../../../shared/messages/jobs.ts';
import type { Mail, MailOutcome } from '../../../shared/messages/mail.ts';
import type { Channel } from '../../../shared/messages/message.ts';
import type { ScheduledStore } from '../../../shared/table/messages/scheduled-store.ts';
import { groupWorker } from '../../../shared/work/queue-worker.ts';
import { contextWith } from '../../../test/lambda-context.ts';
import type { World } from '../../../test/world.ts';
import { cancelMessage } from '../cancel-message/handler.ts';
import { rescheduleMessage } from '../reschedule-message/handler.ts';
import { groupOf, isStale, sendScheduled } from './handler.ts';

export const platformAddress = 'no-reply@platform.example';

/** A moment at which no account has quiet hours by default. */
export const startMs = Date.parse('2026-11-20T12:00:00.000Z');

type Writes = Pick<ScheduledStore, 'begin' | 'handOver' | 'fail' | 'putBack' | 'retire' | 'reschedule'>;
export type ScheduledWrite = keyof Writes;

interface Wishes {
  readonly answer?: (mail: Mail) => MailOutcome;
  /** Whether the worker dies before or after this write. */
  readonly dies?: (write: ScheduledWrite) => 'no' | 'before' | 'after';
}

/** Scheduled sends of one account by a clock that tests turn: the requests, the sweep and the worker, with a queue that can be looked into. */
export const newBench = (world: World, { answer = () => ({ kind: 'accepted' }), dies = () => 'no' }: Wishes = {}) => {
  const time = { nowMs: startMs };
  const clock = () => time.nowMs;
  const mails: Mail[] = [];
  const jobs: { readonly job: ScheduledJob; readonly atMs: number }[] = [];
  const email = {
    send: async (mail: Mail): Promise<MailOutcome> => {
      const outcome = answer(mail);
      if (outcome.kind === 'accepted' || outcome.kind === 'unknown') mails.push(mail);
      return outcome;
    },
  };
  const scheduledQueue = {
    send: async (some: readonly ScheduledJob[], { delaySeconds = 0 } = {}): Promise<void> => {
      jobs.push(...some.map((job) => ({ job, atMs: time.nowMs + delaySeconds * 1_000 })));
    },
  };
  const mortal =
    <Given extends unknown[], Result>(write: ScheduledWrite, call: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      const death = dies(write);
      if (death === 'before') throw new Error('the worker died');
      const result = await call(...given);
      if (death === 'after') throw new Error('the worker died');
      return result;
    };
  const { scheduled } = world;
  const worker = groupWorker(
    scheduledJob,
    groupOf,
    sendScheduled({
      ...world,
      email,
      scheduledQueue,
      platformAddress,
      clock,
      scheduled: {
        ...scheduled,
        begin: mortal('begin', scheduled.begin),
        handOver: mortal('handOver', scheduled.handOver),
        fail: mortal('fail', scheduled.fail),
        putBack: mortal('putBack', scheduled.putBack),
        retire: mortal('retire', scheduled.retire),
        reschedule: mortal('reschedule', scheduled.reschedule),
      },
    }),
    { isStale },
  );
  const send = sender({ ...world, email, platformAddress, clock });

  /** Gives jobs to the worker, which have waited so long; those that failed come back. */
  const give = async (some: readonly ScheduledJob[], waitedMs = 0): Promise<void> => {
    const attributes = { SentTimestamp: '0', ApproximateFirstReceiveTimestamp: String(waitedMs) };
    const Records = some.map((job, n) => ({ messageId: String(n), body: JSON.stringify(job), attributes }));
    const { batchItemFailures } = await worker({ Records } as never, contextWith());
    const failed = batchItemFailures.map(({ itemIdentifier }) => some[Number(itemIdentifier)]);
    jobs.push(...failed.flatMap((job) => (job ? [{ job, atMs: time.nowMs + 5_000 }] : [])));
  };

  return {
    time,
    jobs,
    mails,
    give,

    /** Without `aheadMs`: to be sent at once. */
    send: (
      account: AccountRef,
      body: Omit<Parameters<typeof send>[0]['body'], 'sendAt'>,
      aheadMs: number | undefined,
      id?: string,
    ) =>
      send({
        account,
        body: { ...body, ...(aheadMs !== undefined && { sendAt: time.nowMs + aheadMs }) },
        newId: id ?? newId(time.nowMs),
        nowMs: time.nowMs,
        isResumed: id !== undefined,
      }),

    reschedule: (account: AccountRef, id: string, aheadMs: number) =>
      rescheduleMessage(world)({
        ...{ account, path: { id }, query: {}, body: { sendAt: time.nowMs + aheadMs } },
        ...{ newId: newId(time.nowMs), nowMs: time.nowMs },
      }),

    cancel: (account: AccountRef, id: string) =>
      cancelMessage(world)({
        ...{ account, path: { id }, query: {}, body: undefined },
        ...{ newId: newId(time.nowMs), nowMs: time.nowMs },
      }),

    sweep: () => give([{ kind: 'sweep' }]),

    /** Runs the jobs whose delay is over. */
    work: async (): Promise<void> => {
      const due = jobs.filter(({ atMs }) => atMs <= time.nowMs);
      jobs.splice(0, jobs.length, ...jobs.filter(({ atMs }) => atMs > time.nowMs));
      if (due.length > 0) await give(due.map(({ job }) => job));
    },
  };
};

let phones = 0;

/** The body of a message to a new recipient who may get it. */
export const bodyTo = async (
  world: World,
  ref: AccountRef,
  channel: Channel,
  phone = `+88018${String(phones + 1).padStart(8, '0')}`,
) => {
  phones += 1;
  if (channel === 'email') return { channel, to: `ada${phones}@example.com`, subject: 'Hello', text: 'It works.' };
  const contactId = newId(startMs);
  await world.contacts.create(ref, { id: contactId, details: detailsOf({ phone }) }, startMs);
  const consent = { status: 'active', source: 'form', text: null, by: 'operator', at: iso(startMs) } as const;
  await world.consents.record(ref, contactId, { id: newId(startMs), channel: 'sms', ...consent });
  return { channel, to: phone, text: 'Hello', contactId };
};

/** Quiet at the recipients from 12:30 to 13:30 UTC. */
export const quietSettings = {
  ...newAccountSettings('Test'),
  quietHours: { start: '18:30', end: '19:30', withCountryRules: false },
};
