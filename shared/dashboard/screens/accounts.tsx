import { adminApi } from '../apis.ts';
import { List, pageOf } from '../parts/list.tsx';
import { Screen } from '../parts/screen.tsx';
import { Empty } from '../parts/trouble.tsx';
import { Id, Status, Time } from '../parts/words.tsx';

/** All accounts of the platform, for operators. */
export const Accounts = () => (
  <Screen title="Accounts" intro="All accounts of the platform.">
    <List
      caption="Accounts"
      read={async (query) => pageOf(await adminApi.call('GET /accounts', { query: { limit: 25, ...query } }))}
      columns={[
        { label: 'Name', cell: ({ name }) => name },
        { label: 'Status', cell: ({ status }) => <Status of={status} /> },
        { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { label: 'Id', cell: ({ id }) => <Id value={id} /> },
      ]}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/dashboard/${id}`}
      filters={[{ name: 'search', label: 'Search', kind: 'search', placeholder: 'Name or id' }]}
      empty={<Empty title="No accounts yet" />}
    />
  </Screen>
);
