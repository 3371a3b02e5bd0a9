import { S3Client } from '@aws-sdk/client-s3';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { replayPart } from '../../functions/chores/do-chore/replay-part.ts';
import { countMessages } from '../../functions/messages/count-messages/handler.ts';
import { unsubscribeRecipient } from '../../functions/unsubscribe/unsubscribe-recipient/handler.ts';
import { countName } from '../../shared/analytics/counts.ts';
import { refundEvent, sessionEvent } from '../../shared/checkout/events.ts';
import { newRefund } from '../../shared/checkout/refund.ts';
import { settlementOf } from '../../shared/checkout/settle-payment.ts';
import { newId } from '../../shared/kit/id.ts';
import { JsonText } from '../../shared/kit/json-text.ts';
import { dayMs, hourMs, minuteMs } from '../../shared/kit/time-units.ts';
import { newEmail } from '../../shared/messages/new-message.ts';
import { traceKinds } from '../../shared/table/data-subject/trace.ts';
import { itemKeys } from '../../shared/table/keys.ts';
import { peopleKeyStore } from '../../shared/table/people/people-key.ts';
import { fileKeys } from '../../shared/table/transfers/file-keys.ts';
import { failed, newImport } from '../../shared/transfers/contact-import.ts';
import type { DeliveryJob } from '../../shared/webhooks/jobs.ts';
import type { ReplayJob } from '../../shared/webhooks/replay-span.ts';
import { streamReader } from '../../shared/work/stream-reader.ts';
import { acceptEmail } from '../../test/accepted-message.ts';
import { answeredPayment, begunPayment, openSession } from '../../test/checkout-fixture.ts';
import { contactCalls } from '../../test/contacts-calls.ts';
import { readMessageRecords } from '../../test/message-records.ts';
import { openedTable } from '../../test/opened-table.ts';
import {
  beginText,
  holdPerson,
  publishCheckoutEvents,
  publishEvents,
  type Someone,
} from '../../test/person-records.ts';
import { startList, webhookCalls } from '../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../test/world.ts';
import { localClient } from '../local/local-client.ts';
import { openSubjectFiles } from './files.ts';
import { type Count, type PersonCalls, personOf } from './person.ts';

const ada: Someone = { name: 'Lovelace', email: 'Ada@Example.com', phone: '+8801712345678' };
const grace: Someone = { name: 'Hopper', email: 'grace@example.com', phone: '+8801787654321' };

let world: World;
let person: PersonCalls;
/** The same a day later, when no first attempt of a delivery is queued any more. */
let laterPerson: PersonCalls;
let readRecords: () => Promise<DynamoDBRecord[]>;
let files: ReturnType<typeof openSubjectFiles>;
let accounts: TestAccount[];
beforeAll(async () => {
  world = await startWorld({ hasStream: true });
  readRecords = await readMessageRecords(world);
  files = openSubjectFiles(new S3Client({ ...localClient(world.s3.url), forcePathStyle: true }), 'files');
  person = personOf({ ...world, files });
  laterPerson = personOf({ ...world, files }, () => Date.now() + 25 * hourMs);
  accounts = [await world.newAccount(), await world.newAccount()];
  for (const account of accounts) {
    await webhookCalls(world).subscribe(account);
    for (const someone of [ada, grace]) await holdPerson(world, account, someone);
  }
});
afterAll(() => world.close());

/** Of a person whose data one account has, it asks that one: each test leaves accounts to the next. */
const asked = ({ email }: Someone, account?: TestAccount) => ({ address: email, account: account?.ref.id });

/** How many there are of each kind. */
const sizes = (kinds: Readonly<Record<string, { readonly length: number }>>) =>
  Object.fromEntries(Object.entries(kinds).map(([kind, { length }]) => [kind, length]));

const exported = async (someone: Someone, account?: TestAccount) =>
  JSON.parse(await person.export(asked(someone, account)));

/** The answer to a request is sealed for its idempotency key, and expires within a day. What was counted is remembered by digests. */
const neverOpened = ['IDEM reply', 'COUNTS seen'];

/** The lines of files by their keys: nothing writes a file twice. */
const linesRead = new Map<string, readonly string[]>();

/** Every text of the table, decrypted, and of the files. */
const allTexts = async (): Promise<string[]> => {
  const people = await peopleKeyStore(world.table, world.vault).create(world.dataKeys);
  const { texts, closed } = await openedTable(world, [...accounts.map(({ ref }) => ref), people.ref]);
  expect(closed.filter((name) => !neverOpened.includes(name))).toEqual([]);
  for await (const key of files.list('')) {
    const lines = linesRead.get(key) ?? (await Array.fromAsync(files.lines(key)));
    linesRead.set(key, lines);
    texts.push(...lines);
  }
  return texts.map((text) => text.toLowerCase());
};

const traces = (texts: readonly string[], { name, email, phone }: Someone): string[] =>
  texts.filter((text) => [name, email, phone.slice(1)].some((part) => text.includes(part.toLowerCase())));

const withoutFiles = ({ accounts: found }: { readonly accounts: readonly { readonly file?: unknown }[] }) =>
  found.map(({ file: _, ...kinds }) => kinds);

/** The hour before the test and the next three. */
const startMs = Math.floor(Date.now() / hourMs) * hourMs - hourMs;
const range = { startMs, endMs: startMs + 4 * hourMs - 1 };

/** What the analytics of an account count, but for messages that wait. */
const analyticsOf = async ({ ref }: TestAccount) => {
  const counts = await world.analytics.count(ref, range, range.endMs + 100 * hourMs);
  return Object.fromEntries([...counts].filter(([name]) => name !== countName('email', 'queued')));
};

/** What is the same whoever a message or payment was about. */
const totals = async () => {
  await streamReader(countMessages(world), Date.now)({ Records: await readRecords() });
  return Promise.all(
    accounts.map(async (account) => {
      const { ref } = account;
      const page = { cursor: undefined, limit: 100 };
      const { page: messages } = await world.messages.list(ref, {}, { limit: 100 });
      return {
        credits: await world.accounts.credits(ref.id),
        analytics: await analyticsOf(account),
        messages: messages
          .filter(({ scheduledAt }) => scheduledAt === undefined)
          .map(({ id, channel, status, price, sentAt, failureCode }) => ({
            id,
            channel,
            status,
            price,
            sentAt,
            failureCode,
          })),
        payments: (await world.payments.listOfAccount(ref, {}, page)).page.map(({ session, payment }) => ({
          ...{ id: payment.id, status: payment.status, amountMinor: payment.amountMinor },
          ...{ refundableMinor: payment.refundableMinor, description: session.description },
        })),
        refunds: (await world.refunds.listOfAccount(ref, {}, page, () => true)).page.map(
          ({ id, amountMinor, status }) => ({
            ...{ id, amountMinor, status },
          }),
        ),
      };
    }),
  );
};

const countsOf = async (counts: AsyncIterable<Count>) =>
  (await Array.fromAsync(counts)).map(({ kind, left }) => [kind, left]);

it('exports everything that each account holds about a person, also by the other address of their contact', async () => {
  const { accounts: found, ...rest } = await exported(ada);
  expect(rest).toMatchObject({ email: ada.email });
  expect(found.map(({ accountId }: { accountId: string }) => accountId)).toEqual(accounts.map(({ ref }) => ref.id));
  for (const { accountId: _, ...kinds } of found) expect(Object.keys(kinds)).toEqual(traceKinds);
  expect(found[0]).toMatchObject({
    scheduledMessage: [{ to: ada.email, mail: { subject: 'Dear Lovelace', text: 'Lovelace' } }],
    file: expect.arrayContaining([
      { key: expect.stringContaining('refused/'), lines: ['email,firstName', 'Ada@Example.com,Lovelace'] },
    ]),
    attachment: [{ filename: `for ${ada.email} only.txt` }],
    transfer: [{ kind: 'message-export', state: { filter: { to: { email: ada.email } } } }],
    delivery: [{ event: 'message.sent', attempts: [{ responseBody: 'thanks, Lovelace' }] }],
    event: expect.arrayContaining([
      expect.objectContaining({ event: 'message.sent' }),
      expect.objectContaining({ event: 'checkout_session.expired' }),
    ]),
    payment: [{ lastAnswer: { reason: 'paid by Lovelace' } }],
    refund: [{ reason: 'Lovelace asked for it', failureReason: 'Lovelace is unknown' }],
    checkoutSession: [{ customer: { name: 'Lovelace', email: ada.email, phone: ada.phone } }],
    auditEntry: [{ resource: '/api/v1/suppressions/email/Ada%40Example.com' }],
    consent: [{ entries: [{ source: 'form-Lovelace' }] }],
    contact: [{ email: ada.email, phone: ada.phone, firstName: 'Lovelace', customFields: { nick: 'Lovelace' } }],
  });
  expect(found[0].message).toHaveLength(4);
  expect(found[0].message).toContainEqual(
    expect.objectContaining({ to: ada.phone, channel: 'sms', status: 'sent', timeline: expect.any(Array) }),
  );
  const byPhone = JSON.parse(await person.export({ address: ada.phone, account: accounts[1]?.ref.id }));
  expect(byPhone.accounts.map(sizes)).toEqual([sizes(found[1])]);
  expect(JSON.stringify(found)).not.toContain('Hopper');
});

it('counts what would be erased, and changes nothing', async () => {
  const before = await world.scan();
  const kinds = traceKinds.map((kind) => [kind, 0]);
  expect(await countsOf(person.count(asked(ada)))).toEqual([...kinds, ...kinds]);
  expect(await world.scan()).toEqual(before);
});

it('erases a person everywhere, and leaves others, totals and the fingerprints of an opt-out', async () => {
  expect(traces(await allTexts(), ada).length).toBeGreaterThan(50);
  const [others, sums] = [await exported(grace), await totals()];
  const kinds = traceKinds.map((kind) => [kind, 0]);
  expect(await countsOf(laterPerson.erase(asked(ada)))).toEqual([...kinds, ...kinds]);

  expect(traces(await allTexts(), ada)).toEqual([]);
  // Their lines in a file go with the file.
  expect(withoutFiles(await exported(grace))).toEqual(withoutFiles(others));
  // One email of each account was cancelled.
  const credited = sums.map(({ credits, analytics, ...sum }) => ({
    ...sum,
    credits: credits && { ...credits, email: credits.email + 1 },
    analytics: { ...analytics, 'taken#email': Number(analytics['taken#email']) - 1 },
  }));
  expect(await totals()).toEqual(credited);

  expect(await countsOf(laterPerson.erase(asked(ada)))).toEqual([]);
  for (const { ref } of accounts) {
    for (const contact of [{ email: ada.email }, { phone: ada.phone }]) {
      const channel = 'email' in contact ? 'email' : 'sms';
      const { suppressed, holder } = await world.sends.read(ref, { channel, contact });
      expect([suppressed, holder]).toEqual([expect.any(String), undefined]);
    }
    expect(await world.suppressions.list(ref, { limit: 100 })).toHaveLength(4);
    const again = { channel: 'email', address: { email: ada.email }, reason: 'manual' } as const;
    await world.suppressions.add(ref, { id: newId(Date.now()), ...again });
    expect(await world.suppressions.list(ref, { limit: 100 })).toHaveLength(5);
  }
});

it('exports a payment, its refund and its event also where nothing in them is to be erased', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  const buyer: Someone = { name: 'Hamilton', email: 'hamilton@example.com', phone: '+8801755555555' };
  const paid = await answeredPayment(world, account, { state: 'succeeded' }, { customer: { email: buyer.email } });
  const facts = { id: newId(Date.now()), amountMinor: 100, reason: undefined, nowMs: Date.now() };
  const refund = newRefund(paid.payment, facts);
  await world.refunds.add(paid, refund);
  const refunded = refundEvent('refund.succeeded', refund, Date.now());
  await world.checkoutEvents.storeNumbered(account.ref, [{ ...refunded, wantedBy: [] }]);
  const { accounts: found } = await exported(buyer, account);
  expect(found).toMatchObject([
    {
      payment: [{ id: paid.payment.id, status: 'SUCCEEDED' }],
      refund: [{ id: refund.id, amountMinor: 100 }],
      event: [{ event: 'refund.succeeded' }],
    },
  ]);
});

/** A table whose first transaction comes after something else has happened. */
const tableAfter = (happens: () => Promise<unknown>): World['table'] => {
  let isFirst = true;
  return {
    ...world.table,
    transact: async (writes) => {
      if (isFirst) {
        isFirst = false;
        await happens();
      }
      return world.table.transact(writes);
    },
  };
};

it('leaves the email to the contact that has it since another erasure of a retired one', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  const someone: Someone = { name: 'Twice', email: 'twice@example.com', phone: '+8801766666667' };
  const { create, retire } = contactCalls(world);
  const createOne = async () => (await create(account.key, { email: someone.email })).body.data?.id;
  await retire(account.key, await createOne());
  const table = tableAfter(async () => {
    await countsOf(person.erase(asked(someone, account)));
    await createOne();
  });
  const slow = personOf({ ...world, table, files });
  expect(await countsOf(slow.erase(asked(someone, account)))).toEqual([['contact', 1]]);
  expect((await create(account.key, { email: someone.email })).status).toBe(409);
  await countsOf(person.erase(asked(someone, account)));
});

it('finishes what runs that died after every fourth write have left', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  await webhookCalls(world).subscribe(account);
  const dorothy: Someone = { name: 'Vaughan', email: 'Dorothy@Example.com', phone: '+8801799999999' };
  await holdPerson(world, account, dorothy);
  let writes = 0;
  const end = world.loseAnswers((command) => /^(Update|Delete|TransactWrite)/.test(command) && ++writes % 4 === 0, {
    forGood: true,
  });
  let deaths = 0;
  const eraseAll = async (): Promise<unknown> => {
    try {
      return await countsOf(laterPerson.erase(asked(dorothy, account)));
    } catch (thrown) {
      expect(String(thrown)).toContain('socket hang up');
      deaths += 1;
      return eraseAll();
    }
  };
  await eraseAll();
  end();
  expect(deaths).toBeGreaterThan(5);
  expect(traces(await allTexts(), dorothy)).toEqual([]);
});

it('leaves what is in use, or whose event is yet to be stored, together with the contact that leads to it, and erases it later', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  const alan: Someone = { name: 'Turing', email: 'alan@example.com', phone: '+8801755555555' };
  await contactCalls(world).create(account.key, { email: alan.email, phone: alan.phone });
  const text = await beginText(world, account.ref, alan);
  const begun = await begunPayment(world, account, {
    customer: { phone: alan.phone },
    metadata: JsonText.of({ customer: alan.name }),
  });
  expect(await countsOf(person.erase(asked(alan, account)))).toEqual([
    ['message', 1],
    ['checkoutSession', 1],
    ['contact', 1],
  ]);
  await world.messages.move(account.ref, text, 'providerAccepted', Date.now());
  const { session, payment } = begun;
  const answer = { state: 'failed' as const, amountMinor: payment.amountMinor, currency: payment.currency };
  const settlement = settlementOf({
    ...{ session, payment, answer, acceptsLatePayments: false, refundId: newId(Date.now()) },
    nowMs: session.expiresMs,
  });
  if (settlement) await world.payments.saveSettlement(begun, settlement);
  expect(await countsOf(person.erase(asked(alan, account)))).toEqual([
    ['message', 1],
    ['checkoutSession', 1],
    ['contact', 1],
  ]);
  await publishEvents(world, account, text);
  await publishCheckoutEvents(world, begun, 'payment.failed');
  expect(await countsOf(person.erase(asked(alan, account)))).toEqual([
    ['event', 0],
    ['message', 0],
    ['checkoutSession', 0],
    ['contact', 0],
  ]);
  expect(traces(await allTexts(), alan)).toEqual([]);
});

it('leaves an expired session as long as money may be found for its payment, because the account may accept that', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  const late: Someone = { name: 'Latecomer', email: 'late@example.com', phone: '+8801744444444' };
  const begun = await begunPayment(world, account, { customer: { email: late.email } }, 'sslcommerz');
  await world.payments.saveOpening(begun, { redirectUrl: 'https://gateway.example/', reference: 'r' });
  const { session, payment } = begun;
  const expired = settlementOf({
    ...{ session, payment, answer: { state: 'unknown' }, acceptsLatePayments: false, refundId: newId(Date.now()) },
    nowMs: session.expiresMs + hourMs,
  });
  if (expired) await world.payments.saveSettlement(begun, expired);
  await publishCheckoutEvents(world, begun, 'checkout_session.expired');
  const leftAt = (nowMs: number) => countsOf(personOf({ ...world, files }, () => nowMs).erase(asked(late, account)));
  expect(await leftAt(session.expiresMs + 2 * hourMs)).toContainEqual(['checkoutSession', 1]);
  expect(await leftAt(payment.createdMs + 72 * hourMs)).toContainEqual(['checkoutSession', 0]);
});

it('leaves a payment whose gateway reports other money while the person is being erased, with the session that leads to it', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  const someone: Someone = { name: 'Somebody', email: 'someone@example.com', phone: '+8801733333333' };
  const declined = { state: 'failed', reason: 'declined for Somebody' } as const;
  const failed = await answeredPayment(world, account, declined, { customer: { email: someone.email } });
  await publishCheckoutEvents(world, failed, 'payment.failed');
  await world.sessions.close(failed.session, Date.now());
  const { session, payment } = failed;
  const reported = { amountMinor: payment.amountMinor - 100, currency: payment.currency, transactionId: 'BANK1' };
  const held = settlementOf({
    ...{ session, payment, answer: { state: 'succeeded', paymentId: payment.id, ...reported } },
    ...{ acceptsLatePayments: false, refundId: newId(Date.now()), nowMs: Date.now() },
  });
  const isSaved: boolean[] = [];
  const table: World['table'] = {
    ...world.table,
    update: async (change) => {
      if (held && isSaved.length === 0) isSaved.push(await world.payments.saveSettlement(failed, held));
      return world.table.update(change);
    },
  };
  expect(await countsOf(personOf({ ...world, table, files }).erase(asked(someone, account)))).toEqual([
    ['event', 0],
    ['payment', 1],
    ['checkoutSession', 1],
  ]);
  expect(isSaved).toEqual([true]);
  expect((await world.payments.find(session.id, payment.id))?.payment).toMatchObject({
    ...{ status: 'FAILED', mark: 'held', transactionId: 'BANK1', lastAnswer: { reported } },
  });
});

it('leaves the STOP of a person who writes it while they are being erased', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  const someone: Someone = { name: 'Leaver', email: 'leaver@example.com', phone: '+8801766666666' };
  let heard = 0;
  const write = async (text: string) => {
    heard += 1;
    const inbound = { channel: 'sms', from: someone.phone, text, atMs: Date.now() + heard, id: `${heard}` } as const;
    await world.inboundReceiver.receive(account.ref, inbound);
  };
  await write('START');
  const table: World['table'] = {
    ...world.table,
    getAll: async (keys) => {
      const found = await world.table.getAll(keys);
      if (heard === 1 && found.some((item) => item?.['entity'] === 'opt-out')) await write('STOP');
      return found;
    },
  };
  const byPhone = { address: someone.phone, account: account.ref.id };
  expect(await countsOf(personOf({ ...world, table, files }).erase(byPhone))).toEqual([['optOut', 1]]);
  expect(await countsOf(person.erase(byPhone))).toEqual([]);
  expect(await world.consents.optOutOf(account.ref, someone.phone)).toMatchObject({ any: { status: 'withdrawn' } });
});

it('leaves a large session that is completed while the person is being erased', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  const someone: Someone = { name: 'Nobody', email: 'nobody@example.com', phone: '+8801744444444' };
  const session = openSession(account.ref.id, {
    customer: { email: someone.email },
    metadata: JsonText.of({ customer: someone.name.repeat(200) }),
  });
  await world.sessions.create(account.ref, session, { idempotencyKey: undefined, nowMs: Date.now() });
  await world.sessions.expire(session, session.expiresMs);
  await world.checkoutEvents.storeNumbered(account.ref, [
    { ...sessionEvent('checkout_session.expired', session, Date.now()), wantedBy: [] },
  ]);
  const table: World['table'] = {
    ...world.table,
    transact: async (writes) => {
      await world.table.update({
        ...{ Key: itemKeys.checkoutSession(session.id), UpdateExpression: 'SET #status = :completed' },
        ...{
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: { ':completed': 'COMPLETED' },
        },
      });
      return world.table.transact(writes);
    },
  };
  const kinds = (left: number) => expect.arrayContaining([['checkoutSession', left]]);
  expect(await countsOf(personOf({ ...world, table, files }).erase(asked(someone, account)))).toEqual(kinds(1));
  expect((await world.sessions.find(session.id))?.session).toMatchObject({ customer: { email: someone.email } });
  expect(await countsOf(person.erase(asked(someone, account)))).toEqual(kinds(0));
  expect(traces(await allTexts(), someone)).toEqual([]);
});

it('leaves a large session whose texts another erasure has just rewritten, and brings nothing of that back', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  const one: Someone = { name: 'Turing', email: 'turing@example.com', phone: '+8801744444445' };
  const other: Someone = { name: 'Curie', email: 'curie@example.com', phone: '+8801744444446' };
  const session = openSession(account.ref.id, {
    ...{ customer: { email: one.email }, description: `Gift for ${other.email}` },
    metadata: JsonText.of({ note: 'x'.repeat(2_000) }),
  });
  await world.sessions.create(account.ref, session, { idempotencyKey: undefined, nowMs: Date.now() });
  await world.sessions.expire(session, session.expiresMs);
  await world.checkoutEvents.storeNumbered(account.ref, [
    { ...sessionEvent('checkout_session.expired', session, Date.now()), wantedBy: [] },
  ]);
  const table = tableAfter(async () => {
    await countsOf(person.erase(asked(other, account)));
  });
  const kinds = (left: number) => expect.arrayContaining([['checkoutSession', left]]);
  expect(await countsOf(personOf({ ...world, table, files }).erase(asked(one, account)))).toEqual(kinds(1));
  for (const someone of [one, other]) expect(traces(await allTexts(), someone)).toEqual([]);
});

/** The first attempt of the delivery of an event of a new email to someone. */
const queuedDelivery = async (account: TestAccount, { email }: Someone) => {
  const message = newEmail({ channel: 'email', to: email }, newId(Date.now()));
  await acceptEmail(world, account.ref, message);
  await world.messages.move(account.ref, message, 'providerAccepted', Date.now());
  const [job] = await publishEvents(world, account, message);
  return job ?? expect.fail('there is no delivery');
};

it('leaves an event with its message while its delivery goes on: its next attempt has the whole body, and writes the earlier answers again', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  const { subscribe, record } = webhookCalls(world);
  await subscribe(account);
  const mary: Someone = { name: 'Somerville', email: 'mary@example.com', phone: '+8801711111111' };
  const job = await queuedDelivery(account, mary);
  const bodyAt = async (attempt: number) => {
    const all = await world.attempts.load([{ ...job, attempt }]);
    const loaded = all?.delivery({ ...job, attempt });
    return { loaded, to: JSON.parse((loaded && (await all?.payload(loaded))) ?? '').data.message.to };
  };
  const left = async (someone: PersonCalls) => Object.fromEntries(await countsOf(someone.erase(asked(mary, account))));

  expect(await left(person)).toEqual({ event: 1, message: 1, contact: 1 });
  expect((await bodyAt(1)).to).toBe(mary.email);
  await record(job, { statusCode: 500, responseBody: `${mary.name} is unknown` });
  expect(await left(laterPerson)).toEqual({ delivery: 1, event: 1, message: 1, contact: 1 });
  const { loaded, to } = await bodyAt(2);
  expect(to).toBe(mary.email);
  const answer = { startedMs: Date.now(), statusCode: 200, responseTime: 1, responseBody: mary.name };
  if (loaded) await world.attempts.record(loaded, answer, 5, 'line');
  expect(await left(person)).toEqual({ delivery: 0, event: 0, message: 0, contact: 0 });
  expect(traces(await allTexts(), mary)).toEqual([]);
});

it('leaves an event with its message while a replay delivers it to a webhook that did not want it when it happened', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  const katherine: Someone = { name: 'Johnson', email: 'katherine@example.com', phone: '+8801722222222' };
  const message = newEmail({ channel: 'email', to: katherine.email }, newId(Date.now()));
  await acceptEmail(world, account.ref, message);
  await world.messages.move(account.ref, message, 'providerAccepted', Date.now());
  await publishEvents(world, account, message);
  const { subscribe, record } = webhookCalls(world);
  const { id: webhook } = await subscribe(account);
  const webhookDeliveriesQueue = startList<DeliveryJob>();
  const replay = replayPart({ ...world, webhookDeliveriesQueue, replaysQueue: startList<ReplayJob>() });
  const span = { sinceMs: 0, untilMs: Date.now(), names: ['message.sent'] };
  await replay({ account: account.ref.id, webhook, onlyFailed: false, ...span }, Date.now());
  const [job] = webhookDeliveriesQueue.jobs;
  if (!job) throw new Error('nothing was replayed');

  const left = async () => Object.fromEntries(await countsOf(laterPerson.erase(asked(katherine, account))));
  expect(await left()).toEqual({ delivery: 1, event: 1, message: 1, contact: 1 });
  const all = await world.attempts.load([job]);
  const loaded = all?.delivery(job);
  expect(loaded && (await all?.payload(loaded))).toContain(katherine.email);
  await record(job, { statusCode: 200 });
  expect(await left()).toEqual({ event: 0, message: 0, contact: 0 });
  expect(traces(await allTexts(), katherine)).toEqual([]);
});

it('does not count or write an event that has nothing to be erased', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  const payer: Someone = { name: 'Germain', email: 'sophie@example.com', phone: '+8801733333333' };
  const asks = { customer: { email: payer.email }, metadata: JsonText.of({}) };
  const paid = await answeredPayment(world, account, { state: 'succeeded' }, asks);
  await publishCheckoutEvents(world, paid, 'payment.succeeded');
  expect(sizes((await exported(payer, account)).accounts[0])).toMatchObject({ event: 2 });
  const kinds = (await countsOf(person.erase(asked(payer, account)))).map(([kind]) => kind);
  expect(kinds).toContain('checkoutSession');
  expect(kinds).not.toContain('event');
});

it.each(['pending', 'queued'])(
  'erases an event whose %s delivery a pause of its webhook has cancelled',
  async (how) => {
    const account = await world.newAccount();
    accounts.push(account);
    const { subscribe, record } = webhookCalls(world);
    const { id } = await subscribe(account);
    const joan: Someone = { name: 'Clarke', email: `joan-${how}@example.com`, phone: '+8801766666666' };
    const job = await queuedDelivery(account, joan);
    if (how === 'pending') await record(job, { statusCode: 500 });
    const left = async () =>
      (await Array.fromAsync(person.erase(asked(joan, account)))).filter((count) => count.left > 0);
    expect(await left()).toMatchObject(expect.arrayContaining([expect.objectContaining({ kind: 'event' })]));
    await world.webhooks.change(account.ref, id, { isActive: false }, Date.now());
    expect(await left()).toEqual([]);
    expect(traces(await allTexts(), joan)).toEqual([]);
  },
);

it('keeps nothing of what a provider reports later about an erased address', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  const late: Someone = { name: 'Babbage', email: 'babbage@example.com', phone: '+8801722222222' };
  const message = newEmail({ channel: 'email', to: late.email }, newId(Date.now()));
  await acceptEmail(world, account.ref, message);
  await world.messages.move(account.ref, message, 'providerAccepted', Date.now());
  await publishEvents(world, account, message);
  await Array.fromAsync(person.erase(asked(late, account)));
  const failure = { code: '5.1.1', reason: `smtp; 550 5.1.1 <${late.email}>: user unknown` };
  const bounce = { trigger: 'addressRejected', channel: 'email', failure } as const;
  expect(await world.outcomeRecorder.record(account.ref, message.id, bounce, Date.now())).toBe(true);
  await publishEvents(world, account, message);
  expect(await world.messages.find(account.ref, message.id)).toMatchObject({
    ...{ status: 'bounced', failureCode: '5.1.1', failureReason: null },
  });
  expect(traces(await allTexts(), late)).toEqual([]);
});

it('exports and erases an address that messages go to and no user of the dashboard can have', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  const address = 'x!y@example.org';
  await contactCalls(world).create(account.key, { email: address });
  const asking = { address, account: account.ref.id };
  expect(JSON.parse(await person.export(asking)).accounts).toMatchObject([{ contact: [{ email: address }] }]);
  expect(await countsOf(person.erase(asking))).toEqual([['contact', 0]]);
  expect(await person.isUser(asking)).toBe(false);
});

it('erases a retired contact, whose email can be used again, and not the one that has its phone now', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  const calls = contactCalls(world);
  const { body } = await calls.create(account.key, { email: 'old@example.com', phone: '+8801766666666' });
  await calls.retire(account.key, body.data.id);
  await calls.create(account.key, { email: 'new@example.com', phone: '+8801766666666' });
  expect(await countsOf(person.erase({ address: 'old@example.com', account: account.ref.id }))).toEqual([
    ['contact', 0],
  ]);
  expect((await calls.create(account.key, { email: 'old@example.com' })).status).toBe(201);
  expect((await calls.list(account.key, { search: 'new@example.com' })).body.data).toHaveLength(1);
});

it('erases a retired contact that had opted out without a suppression of the contact that has its phone now', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  const phone = '+8801744444444';
  const calls = contactCalls(world);
  const { body } = await calls.create(account.key, { email: 'former@example.com', phone });
  await calls.setStatus(body.data.id, 'unsubscribed');
  await calls.retire(account.key, body.data.id);
  const { body: next } = await calls.create(account.key, { email: 'next@example.com', phone });
  await calls.setConsent(next.data.id, 'sms', { status: 'active', source: 'form' });
  const suppressed = async () =>
    (await world.sends.read(account.ref, { channel: 'sms', contact: { phone } })).suppressed;
  expect(await suppressed()).toBeUndefined();
  await Array.fromAsync(person.erase({ address: 'former@example.com', account: account.ref.id }));
  expect(await suppressed()).toBeUndefined();
});

it.each([false, true])(
  'erases a contact (retired: %s) without putting back what the account had removed from its list of suppressions, and keeps the rest blocked',
  async (isRetired) => {
    const account = await world.newAccount();
    accounts.push(account);
    const [email, phone] = ['bounced@example.com', '+8801788888888'];
    const calls = contactCalls(world);
    const { body } = await calls.create(account.key, { email, phone });
    await calls.setStatus(body.data.id, 'unsubscribed');
    expect(await world.suppressions.remove(account.ref, { channel: 'email', address: { email } })).toBe(true);
    if (isRetired) await calls.retire(account.key, body.data.id);
    expect(await countsOf(person.erase({ address: email, account: account.ref.id }))).toContainEqual(['contact', 0]);
    const suppressedOn = async (channel: 'email' | 'whatsapp') => {
      const contact = channel === 'email' ? { email } : { phone };
      return (await world.sends.read(account.ref, { channel, contact })).suppressed;
    };
    expect([await suppressedOn('email'), await suppressedOn('whatsapp')]).toEqual([undefined, 'unsubscribed']);
    expect(await world.suppressions.list(account.ref, { limit: 100 })).toEqual([]);
  },
);

it('says of no address that it is unsubscribed when the link of a mail is used whose recipient was erased', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  const email = 'forgotten@example.com';
  const mail = newEmail({ channel: 'email', to: email }, newId(Date.now()));
  await acceptEmail(world, account.ref, mail);
  await world.messages.move(account.ref, mail, 'providerAccepted', Date.now());
  const url = await world.messageLinks.urlFor('unsubscribe', account.ref, mail.id);
  await publishEvents(world, account, mail);
  await Array.fromAsync(person.erase({ address: email, account: account.ref.id }));
  const token = url.split('/').at(-1);
  expect(await unsubscribeRecipient(world)({ path: { token }, nowMs: Date.now() })).toBe('erased');
  expect(await world.suppressions.list(account.ref, { limit: 100 })).toEqual([]);
});

it.each([
  ['ada', undefined, 'ada is not an email address or a phone number'],
  ['ada@example.com', newId(0), 'There is no account'],
])('refuses %s in account %s', async (address, account, reason) => {
  await expect(person.export({ address, account })).rejects.toThrow(reason);
});

it('leaves an import that begins while the person is being looked for', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  const { ref } = account;
  const someone: Someone = { name: 'Anybody', email: 'anybody@example.com', phone: '+8801722222222' };
  const id = newId(Date.now());
  const begin = async (): Promise<void> => {
    await world.contactImports.add(ref, id, newImport(false, Date.now()), Date.now());
    await world.files.put(fileKeys.import(ref.id, id), Buffer.from(`email\r\n${someone.email}\r\n`));
  };
  let isBegun = false;
  const list = async function* (prefix: string) {
    if (!isBegun) await begin();
    isBegun = true;
    yield* files.list(prefix);
  };
  expect(await countsOf(personOf({ ...world, files: { ...files, list } }).erase(asked(someone, account)))).toEqual([
    ['file', 1],
  ]);
  expect(await world.contactImports.find(ref, id, Date.now())).toMatchObject({ status: 'waiting' });
  const { hold, state } = (await world.contactImports.claim(ref, id, 'run', Date.now())) ?? expect.fail();
  await world.contactImports.save(ref, hold, failed(state, 'it is no CSV file', Date.now()));
  expect(await countsOf(person.erase(asked(someone, account)))).toEqual([['file', 0]]);
  expect(traces(await allTexts(), someone)).toEqual([]);
});

it('erases an import whose last run began a day ago, because nothing goes on with it', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  const { ref } = account;
  const someone: Someone = { name: 'Anyone', email: 'anyone@example.com', phone: '+8801744444444' };
  const begin = async (atMs: number): Promise<void> => {
    const id = newId(atMs);
    await world.contactImports.add(ref, id, newImport(false, atMs), atMs);
    await world.files.put(fileKeys.import(ref.id, id), Buffer.from(`email\r\n${someone.email}\r\n`));
  };
  await begin(Date.now() - dayMs + minuteMs);
  expect(await countsOf(person.erase(asked(someone, account)))).toEqual([['file', 1]]);
  await begin(Date.now() - dayMs);
  expect(await countsOf(person.erase(asked(someone, account)))).toEqual([['file', 1]]);
});

it('reads on when a file is deleted after it was listed, as an import does that ends', async () => {
  const account = await world.newAccount();
  accounts.push(account);
  const someone: Someone = { name: 'Nobody', email: 'nobody@example.com', phone: '+8801733333333' };
  const keys = [1, 2].map((n) => fileKeys.import(account.ref.id, newId(Date.now() + n)));
  for (const key of keys) await world.files.put(key, Buffer.from(`email\r\n${someone.email}\r\n`));
  const list = async function* (prefix: string) {
    for await (const key of files.list(prefix)) {
      if (key === keys[0]) await files.remove(key);
      yield key;
    }
  };
  expect(await countsOf(personOf({ ...world, files: { ...files, list } }).erase(asked(someone, account)))).toEqual([
    ['file', 0],
  ]);
  expect(traces(await allTexts(), someone)).toEqual([]);
});
