import { useState } from 'preact/hooks';
import type { Webhook } from '../../client/messaging.ts';
import { messagingApi } from '../apis.ts';
import { type Column, List } from '../parts/list.tsx';
import { Screen, useHref } from '../parts/screen.tsx';
import { Empty } from '../parts/trouble.tsx';
import { grouped, Status, Time } from '../parts/words.tsx';
import { mayBuild, useAccount } from '../session.ts';
import { WebhookForm } from './webhook-form.tsx';

const columns: readonly Column<Webhook>[] = [
  { label: 'Name', cell: ({ name }) => name },
  { label: 'URL', cell: ({ url }) => <code>{url}</code> },
  { label: 'Status', cell: ({ isActive }) => <Status of={isActive ? 'active' : 'paused'} /> },
  { label: 'Delivered', cell: ({ totalSent }) => grouped(totalSent), isNumber: true },
  { label: 'Failed', cell: ({ totalFailed }) => grouped(totalFailed), isNumber: true },
  { label: 'Last delivery', cell: ({ lastSentAt }) => <Time at={lastSentAt} /> },
];

export const Webhooks = () => {
  const account = useAccount();
  const href = useHref();
  const [isAdding, setAdding] = useState(false);
  const [version, setVersion] = useState(0);
  return (
    <Screen
      title="Webhooks"
      intro="Your servers learn here what has happened to a message."
      actions={
        mayBuild(account) ? (
          <button type="button" class="primary" onClick={() => setAdding(true)}>
            Add webhook
          </button>
        ) : null
      }
    >
      <List
        caption="Webhooks"
        read={async () => ({ rows: (await messagingApi(account.id).call('GET /webhooks')).data, next: undefined })}
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => href(`/webhooks/${id}`)}
        version={version}
        empty={<Empty title="No webhooks yet">Add the URL of your server, and each event is sent to it.</Empty>}
      />
      {isAdding ? (
        <WebhookForm onClose={() => setAdding(false)} onSaved={() => setVersion((before) => before + 1)} />
      ) : null}
    </Screen>
  );
};
