import { useState } from 'preact/hooks';
import type { LoggedRequest } from '../../client/admin.ts';
import { adminApi } from '../apis.ts';
import type { Filter } from '../parts/filters.tsx';
import { type Column, List, pageOf } from '../parts/list.tsx';
import { Screen } from '../parts/screen.tsx';
import { Empty } from '../parts/trouble.tsx';
import { grouped, Id, Status, Time } from '../parts/words.tsx';
import { useAccount } from '../session.ts';

const filters: readonly Filter[] = [
  { name: 'path', label: 'Path', kind: 'search', placeholder: '/api/v1/messages' },
  { name: 'method', label: 'Method', choices: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((name) => [name, name]) },
  {
    name: 'status',
    label: 'Status',
    choices: [
      ['2xx', '2xx, done'],
      ['4xx', '4xx, refused'],
      ['5xx', '5xx, failed'],
    ],
  },
  { name: 'source', label: 'From', choices: [['dashboard', 'Dashboard']], unchosen: 'Your keys' },
];

const kindOf = (status: number) => (status < 300 ? 'good' : status < 400 ? 'plain' : 'bad');

const columns: readonly Column<LoggedRequest>[] = [
  {
    label: 'Request',
    cell: ({ method, path, isReplay, ignored }) => (
      <>
        <code>
          {method} {path}
        </code>{' '}
        {isReplay ? <span class="tag">Repeated</span> : null}
        {ignored ? <div class="hint">Ignored: {ignored.join(', ')}</div> : null}
      </>
    ),
  },
  {
    label: 'Status',
    cell: ({ status, errorCode }) => (
      <>
        <Status of={String(status)} kind={kindOf(status)} />
        {errorCode ? (
          <div class="hint">
            <a href={`/docs/errors#${errorCode}`} target="_blank" rel="noreferrer">
              {errorCode}
            </a>
          </div>
        ) : null}
      </>
    ),
  },
  { label: 'Time', cell: ({ durationMs }) => `${grouped(Math.round(durationMs))} ms`, isNumber: true },
  {
    label: 'Key',
    cell: ({ keyPrefix, isFromDashboard }) => {
      if (isFromDashboard) return 'Dashboard';
      return keyPrefix ? <code>{keyPrefix}…</code> : '';
    },
  },
  { label: 'When', cell: ({ at }) => <Time at={at} isExact /> },
  { label: 'Request id', cell: ({ requestId }) => <Id value={requestId} what="request id" /> },
];

/** The account's calls of the public APIs in the last 24 hours. */
export const Requests = () => {
  const { id } = useAccount();
  const [version, setVersion] = useState(0);
  return (
    <Screen
      title="Requests"
      intro="Calls of the APIs in the last 24 hours with keys of this account. Those of this dashboard, and of the samples in the documentation, are listed with the filter “From”."
      actions={
        <button type="button" onClick={() => setVersion(version + 1)}>
          Refresh
        </button>
      }
    >
      <List
        caption="Requests"
        read={async (query) =>
          pageOf(
            await adminApi.call('GET /accounts/{id}/requests', {
              path: { id },
              query: { limit: 50, source: 'keys', ...query },
            }),
          )
        }
        columns={columns}
        keyOf={({ requestId, at }) => `${requestId} ${at}`}
        filters={filters}
        version={version}
        empty={
          <Empty title="No requests with your keys in the last 24 hours">
            A call shows here a few seconds after it was answered.
          </Empty>
        }
      />
    </Screen>
  );
};
