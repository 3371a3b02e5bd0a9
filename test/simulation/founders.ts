import type { Account } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import type { Adjustment } from './clerks.ts';
import type { Answer, Data, Request } from './client.ts';
import { askedOnce, type Messaging } from './messaging.ts';
import { operatorIn } from './operator.ts';
import { patientClientIn, type Try } from './patient-client.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

type Credits = Readonly<Record<'email' | 'smsMasked' | 'smsNonMasked', number>>;

/** Credits that an operator set, with each request. */
export interface Setting {
  readonly account: Account;
  readonly wanted: Credits;
  readonly tries: Try[];
}

/** What the pages of a ledger showed while it changed, and how many changes of the table had been made before. */
export interface LedgerLook {
  readonly account: Account;
  readonly from: number;
  readonly ids: readonly string[];
}

/** An account that an operator wants, by its name. */
export interface Founding {
  readonly name: string;
  /** Once it is ready for use. */
  account?: Account;
}

/** What is read of an account when all is quiet. */
export interface AccountReading {
  readonly account: Account;
  readonly alone: Answer;
  readonly credits: Answer;
  readonly byKey: Answer;
  readonly ledger: readonly LedgerRow[];
  readonly keys: readonly { readonly name: string; readonly prefix: string; readonly revokedAt: string | null }[];
  readonly callbackUrls: readonly Answer[];
}

export interface LedgerRow extends Credits {
  readonly id: string;
  readonly kind: 'sends' | 'adjustment' | 'set';
  readonly who: string | null;
}

export const founder = 'founder';
const keyName = 'first key';

const busyMs = 120_000;
const calmMs = 660_000;

/** Operators create accounts, which are used at once, set and adjust their credits while messages are sent, and read them. */
export const openFounders = async (world: World, code: Code, { asked }: Pick<Messaging, 'asked'>) => {
  const { timeline, startMs, seed } = world;
  const { request: send, wait, insist, makeOnce, pages, noting } = patientClientIn(world);
  const random = randomIn(seed, 'founders');
  const headers = await operatorIn(world, code, founder);
  const foundings: Founding[] = [];
  const accounts: Account[] = [];
  const tries: Try[] = [];
  const settings: Setting[] = [];
  const adjustments: Adjustment[] = [];
  const ledgerLooks: LedgerLook[] = [];

  const byOperator = (does: string, routeKey: string, id: string, more: Partial<Request> = {}): Request => ({
    ...{ does, headers, account: id, path: { id } },
    routeKey: routeKey.replace(' ', ' /admin/v1/accounts/{id}'),
    ...more,
  });

  const listed = (search: string): Promise<readonly Data[]> =>
    pages({ does: 'people/list-accounts', routeKey: 'GET /admin/v1/accounts', headers, query: { search } });

  const keysOf = async (id: string): Promise<AccountReading['keys'] & readonly Data[]> =>
    (await insist(byOperator('admin/list-api-keys', 'GET /api-keys', id))).body?.data ?? [];

  /** The secret of a key that was made without an answer is lost: it is revoked, and another one made. */
  const revokeLost = async (id: string): Promise<undefined> => {
    for (const key of await keysOf(id))
      if (key.revokedAt === null)
        await insist({
          ...{ does: 'admin/revoke-api-key', routeKey: 'DELETE /admin/v1/api-keys/{keyId}', headers, account: id },
          path: { keyId: key.id },
        });
  };

  const setCredits = async (account: Account, wanted: Credits): Promise<void> => {
    const setting: Setting = { account, wanted, tries: [] };
    settings.push(setting);
    const request = byOperator('admin/set-credits', 'PUT /credits', account.ref.id, { body: wanted });
    await insist(request, noting(account, 'set-credits', setting.tries, tries));
  };

  const creditsFrom = (chance: Random): Credits => ({
    ...{ email: chance.below(8), smsMasked: chance.below(3), smsNonMasked: chance.below(2) },
  });

  const found = async (name: string, chance: Random): Promise<void> => {
    const founding: Founding = { name };
    foundings.push(founding);
    const creation = {
      ...{ does: 'admin/create-account', routeKey: 'POST /admin/v1/accounts', headers, body: { name } },
    };
    const id: string | undefined = (
      await makeOnce(creation, async () => (await listed(name)).find((one) => one.name === name))
    )?.id;
    const sealedKey = world.table.all().find(({ SK, account }) => SK === 'ACCOUNT' && account === id)?.['sealedKey'];
    if (id === undefined) return;
    const creationOfKey = byOperator('admin/create-api-key', 'POST /api-keys', id, {
      body: { name: keyName, scopes: code.inside.scopes },
    });
    const key: string | undefined = (await makeOnce(creationOfKey, () => revokeLost(id)))?.key;
    if (key === undefined) return;
    const account: Account = {
      ...{ ref: { id, sealedKey: String(sealedKey) }, key, phone: `+880160000${1_000 + accounts.length}` },
      ...{ acceptsLatePayments: false, mostTexts: undefined, quiet: undefined, granted: undefined, webhooks: [] },
    };
    founding.account = account;
    accounts.push(account);
    readByKey(account);
    if (chance.isChance(0.4)) spread(account, name, chance);
    await setCredits(account, { ...creditsFrom(chance), email: 1 + chance.below(20) });
  };

  const byKey = ({ ref, key }: Account): Request => ({
    ...{ does: 'account/get-account', routeKey: 'GET /api/v1/account', headers: { 'x-api-key': key }, account: ref.id },
  });
  const credits = ({ ref }: Account): Request => byOperator('admin/get-credits', 'GET /credits', ref.id);

  const readByKey = (account: Account): void => void noting(account, 'get-account', tries)(byKey(account));
  const readCredits = (account: Account): void => void noting(account, 'get-credits', tries)(credits(account));

  const alone = ({ ref }: Account): Request => byOperator('admin/get-account', 'GET ', ref.id);
  const urls = ({ ref }: Account): Request => byOperator('admin/list-callback-urls', 'GET /callback-urls', ref.id);
  const ledger = ({ ref }: Account): Promise<readonly LedgerRow[]> =>
    pages(byOperator('admin/list-credit-changes', 'GET /credits/ledger', ref.id));

  const look = async (account: Account, _: string, chance: Random): Promise<void> => {
    const of = chance.pick([alone, urls, undefined]);
    if (of) return void noting(account, 'look', tries)(of(account));
    const from = world.changes.length;
    ledgerLooks.push({ account, from, ids: (await ledger(account)).map(({ id }) => id) });
  };

  const write = (account: Account, id: string, chance: Random): void => {
    for (let n = 1 + chance.below(4); n > 0; n -= 1) {
      const [name, to] = [`${id} message ${n}`, `ada${chance.below(3)}@example.com`];
      const made = askedOnce({ id: name, account, atMs: timeline.nowMs(), to });
      asked.push(made);
      const body = { channel: 'email', to, subject: 'Hello', text: 'It works.', metadata: { request: name } };
      send(
        {
          ...{
            does: 'messages/send-message',
            routeKey: 'POST /api/v1/messages',
            headers: { 'x-api-key': account.key },
          },
          ...{ account: account.ref.id, idempotencyKey: name, body },
        },
        (answer) => made.answers.push(answer),
      );
    }
  };

  const adjust = (account: Account, id: string, chance: Random): void => {
    const change = { email: chance.below(9) - 4, smsMasked: chance.below(3) };
    const adjustment: Adjustment = { id, account, change, answers: [] };
    adjustments.push(adjustment);
    const request = byOperator('admin/adjust-credits', 'POST /credits/adjustments', account.ref.id, {
      ...{ body: change, idempotencyKey: `${id}-key` },
    });
    const made: Try = { what: 'adjust-credits', account, from: world.changes.length, fromMs: timeline.nowMs() };
    tries.push(made);
    send(request, (answer) => {
      adjustment.answers.push(answer);
      made.end = { to: world.changes.length, atMs: timeline.nowMs(), answer };
    });
  };

  const spread = (account: Account, _: string, chance: Random): void => {
    const request = byOperator('admin/raise-spread', 'PUT /spread', account.ref.id, {
      body: { creditShards: chance.pick([2, 4]) },
    });
    void insist(request, noting(account, 'raise-spread', tries));
  };

  const set = (account: Account, _: string, chance: Random): void => void setCredits(account, creditsFrom(chance));

  /** All at once. */
  const jostle = (account: Account, id: string, chance: Random): void => {
    for (const act of [write, set, adjust, set, readCredits])
      if (chance.isChance(0.6)) timeline.after(chance.below(500), () => act(account, id, chance));
  };

  const acts = [write, write, set, adjust, jostle, jostle, spread, readByKey, readCredits, look, look] as const;
  const count = 2 + random.below(6);
  for (let n = 0; n < count; n += 1) {
    const id = `founder ${n}`;
    const chance = randomIn(seed, id);
    world.plan(id, startMs + (n === 0 ? 0 : chance.below(busyMs)), () => {
      const account = accounts[chance.below(accounts.length)];
      if (n === 0 || chance.isChance(0.1)) void found(id, chance);
      else if (account) void chance.pick(acts)(account, id, chance);
    });
  }

  const read = async (account: Account): Promise<AccountReading> => {
    return {
      account,
      alone: await insist(alone(account)),
      credits: await insist(credits(account)),
      byKey: await insist(byKey(account)),
      ledger: await ledger(account),
      keys: await keysOf(account.ref.id),
      callbackUrls: [await insist(urls(account)), await insist(urls(account))],
    };
  };

  const readings: AccountReading[] = [];
  const names: string[] = [];
  return {
    ...{ foundings, accounts, tries, settings, adjustments, ledgerLooks, readings },
    /** Of all accounts, as operators list them in the end. */
    names,

    /** Reads all accounts when all is quiet and nothing fails any more. */
    readAll: async (): Promise<void> => {
      await wait(Math.max(0, startMs + calmMs - timeline.nowMs()));
      names.push(...(await listed('')).map(({ name }) => name));
      for (const account of accounts) readings.push(await read(account));
    },
  };
};

export type Founders = Awaited<ReturnType<typeof openFounders>>;
