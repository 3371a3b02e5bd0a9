import type { AuditEntry, Operations } from '../../client/admin.ts';
import { adminApi } from '../apis.ts';
import { type Column, List, pageOf } from '../parts/list.tsx';
import { periodFilters, withPeriod } from '../parts/period.ts';
import { Screen } from '../parts/screen.tsx';
import { Empty } from '../parts/trouble.tsx';
import { Status, Time } from '../parts/words.tsx';
import { useAccount } from '../session.ts';

type Reply = Operations['GET /audit-log']['reply'];
type Wanted = ReturnType<typeof withPeriod> & { readonly limit: number };

const resultOf = (status: number): string => {
  if (status < 300) return 'done';
  return status === 401 || status === 403 ? 'refused' : `failed, ${status}`;
};

/** What is below the account: its id says nothing to a reader. */
const shortOf = (resource: string): string =>
  resource.replace(/^\/admin\/v1/, '').replace(/^\/accounts\/[\w-]+(?=\/)/, '');

const columns: readonly Column<AuditEntry>[] = [
  { label: 'When', cell: ({ at }) => <Time at={at} isExact /> },
  { label: 'Who', cell: ({ actor }) => <span class="whole">{actor.email ?? actor.name ?? actor.kind}</span> },
  {
    label: 'What',
    cell: ({ action, resource }) => (
      <>
        <code title={resource}>
          {action.split(' ')[0]} {shortOf(resource)}
        </code>
      </>
    ),
  },
  {
    label: 'Result',
    cell: ({ status }) =>
      status === null ? (
        <Status of="not known" />
      ) : (
        <Status of={resultOf(status)} kind={status < 300 ? 'good' : 'bad'} />
      ),
  },
  {
    label: 'From',
    cell: ({ address, userAgent }) => (
      <span class="nowrap" title={userAgent}>
        {address}
      </span>
    ),
  },
];

/** The log of the platform has the changes of all accounts. */
const ofAccount: Column<AuditEntry> = {
  label: 'Account',
  cell: ({ accountId }) =>
    accountId && (
      <a href={`/dashboard/${accountId}`}>
        <code>{accountId}</code>
      </a>
    ),
};
const platformColumns = columns.toSpliced(2, 0, ofAccount);

interface LogProps {
  readonly columns: readonly Column<AuditEntry>[];
  readonly read: (query: Wanted) => Promise<Reply>;
}

const Log = ({ read, columns: shown }: LogProps) => (
  <List
    caption="Audit log"
    read={async (query) => pageOf(await read({ limit: 50, ...withPeriod(query) }))}
    columns={shown}
    keyOf={({ id }) => id}
    filters={periodFilters}
    empty={
      <Empty title="Nothing yet">
        Every change by a person or a token, and every export that they begin, is listed here.
      </Empty>
    }
  />
);

/** Who changed what in the account. */
export const AuditLog = () => {
  const { id } = useAccount();
  return (
    <Screen
      title="Audit log"
      intro="Every change in this account by a person or a token, and every export that they begin, also those that were refused."
    >
      <Log columns={columns} read={(query) => adminApi.call('GET /accounts/{id}/audit-log', { path: { id }, query })} />
    </Screen>
  );
};

/** Who changed what, in all accounts and on the platform. */
export const PlatformAuditLog = () => (
  <Screen
    title="Audit log of the platform"
    intro="Every change by a person or a token, and every export that they begin, in all accounts."
  >
    <Log columns={platformColumns} read={(query) => adminApi.call('GET /audit-log', { query })} />
  </Screen>
);
