import type { AccountRef } from '../../shared/kit/account-ref.ts';
import type { Vault } from '../../shared/kit/cipher.ts';
import { jsonOf } from '../../shared/kit/json-text.ts';
import { iso } from '../../shared/kit/time.ts';
import { addressIn } from '../../shared/messages/recipient.ts';
import { personalEmail } from '../../shared/people/person.ts';
import { accountStore } from '../../shared/table/accounts/account-store.ts';
import { dataSubjectStore } from '../../shared/table/data-subject/data-subject-store.ts';
import type { SubjectFiles } from '../../shared/table/data-subject/file-traces.ts';
import { type Address, type Trace, type TraceKind, traceKinds } from '../../shared/table/data-subject/trace.ts';
import { spreadStore } from '../../shared/table/messages/spread-store.ts';
import { memberStore } from '../../shared/table/people/member-store.ts';
import { signInStore } from '../../shared/table/people/sign-in-store.ts';
import type { Table } from '../../shared/table/table.ts';
import { StartFailure } from '../local/start-failure.ts';
import { allAccounts } from '../operators/all-accounts.ts';

interface Deployment {
  readonly table: Table;
  readonly vault: Vault;
  readonly files: SubjectFiles;
}

/** Whose data, and of which account; without one, of all. */
export interface Asked {
  readonly address: string;
  readonly account: string | undefined;
}

/** How many things of one kind an account holds about the person. `left`: those that cannot be erased yet. */
export interface Count {
  readonly account: string;
  readonly kind: TraceKind;
  readonly count: number;
  readonly left: number;
}

/**
 * An email address or a phone number of a command line.
 * @throws StartFailure when it is neither
 */
const addressOf = (text: string): Address => {
  const address = addressIn(text);
  if (!address) throw new StartFailure(`${text} is not an email address or a phone number in E.164 format.`);
  return address;
};

const countsOf = (account: string, all: readonly Trace[], left: readonly Trace[]): Count[] =>
  traceKinds.flatMap((kind) => {
    const of = (traces: readonly Trace[]): number => traces.filter((trace) => trace.kind === kind).length;
    return of(all) > 0 ? [{ account, kind, count: of(all), left: of(left) }] : [];
  });

/** What `npm run person` can do with the data of one person. */
export const personOf = ({ table, vault, files }: Deployment, nowMs: () => number = Date.now) => {
  const spreads = spreadStore(table, nowMs);
  const accounts = accountStore(table, vault, spreads);
  const store = dataSubjectStore({ table, vault, spreads }, files);
  const members = memberStore(table, vault);
  const signIns = signInStore(table, vault);

  async function* accountsOf({ account: id }: Asked): AsyncGenerator<AccountRef> {
    if (id === undefined) return yield* allAccounts(accounts);
    const account = await accounts.find(id);
    if (!account) throw new StartFailure(`There is no account ${id}.`);
    yield account.ref;
  }

  /** What a user of the dashboard may do, and where they are signed in. */
  const dashboardOf = async (address: Address) => {
    // Messages go to more addresses than the dashboard takes for its users.
    const { data: email } = personalEmail.safeParse('email' in address ? address.email : undefined);
    const person = email === undefined ? undefined : await members.personOf(email);
    if (person === undefined) return undefined;
    const rights = await members.rightsOf(person);
    const isUser = rights.isOperator || Object.keys(rights.roles).length > 0;
    return isUser ? { ...rights, sessions: await signIns.sessions(person, nowMs()) } : undefined;
  };

  return {
    /** Everything that accounts hold about a person, and what the person may do in the dashboard, as JSON. */
    export: async (asked: Asked): Promise<string> => {
      const address = addressOf(asked.address);
      const found: object[] = [];
      for await (const account of accountsOf(asked)) {
        const traces = await store.tracesIn(account, address);
        const byKind = Map.groupBy(traces, ({ kind }) => kind);
        if (traces.length > 0)
          found.push({
            accountId: account.id,
            ...Object.fromEntries([...byKind].map(([kind, some]) => [kind, some.map(({ holds }) => holds)])),
          });
      }
      const all = { ...address, exportedAt: iso(nowMs()), accounts: found, dashboard: await dashboardOf(address) };
      return JSON.stringify(JSON.parse(jsonOf(all)), null, 2);
    },

    /** What would be erased. Changes nothing. */
    count: async function* (asked: Asked): AsyncGenerator<Count> {
      const address = addressOf(asked.address);
      for await (const account of accountsOf(asked)) {
        const traces = await store.tracesIn(account, address);
        yield* countsOf(
          account.id,
          traces.filter(({ erase }) => erase),
          [],
        );
      }
    },

    /** Erases the person in one account after the other. Repeated, it erases what an earlier run has left. */
    erase: async function* (asked: Asked): AsyncGenerator<Count> {
      const address = addressOf(asked.address);
      for await (const account of accountsOf(asked)) {
        const { erased, left } = await store.eraseIn(account, address, nowMs());
        yield* countsOf(account.id, [...erased, ...left], left);
      }
    },

    isUser: async (asked: Asked): Promise<boolean> => (await dashboardOf(addressOf(asked.address))) !== undefined,
  };
};

export type PersonCalls = ReturnType<typeof personOf>;
