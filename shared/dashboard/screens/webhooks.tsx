import { useState } from 'preact/hooks';
import { type Column, List } from '../parts/list.tsx';
import { Screen, useHref } from '../parts/screen.tsx';
import { Empty } from '../parts/trouble.tsx';
import { grouped, Status, Time } from '../parts/words.tsx';
import { mayBuild, useAccount } from '../session.ts';
import { readWebhooks, type Webhook, type WebhookApi, webhookApis } from './webhook-apis.ts';
import { WebhookForm } from './webhook-form.tsx';

const columns: readonly Column<Webhook>[] = [
  { label: 'Name', cell: ({ name }) => name },
  { label: 'URL', cell: ({ url }) => <code>{url}</code> },
  { label: 'Status', cell: ({ isActive }) => <Status of={isActive ? 'active' : 'paused'} /> },
  { label: 'Delivered', cell: ({ totalSent }) => grouped(totalSent), isNumber: true },
  { label: 'Failed for good', cell: ({ totalFailed }) => grouped(totalFailed), isNumber: true },
  { label: 'Last delivery', cell: ({ lastSentAt }) => <Time at={lastSentAt} /> },
];

const WebhookList = ({ api }: { readonly api: WebhookApi }) => {
  const account = useAccount();
  const href = useHref();
  const { folder, title, intro } = webhookApis[api];
  const [isAdding, setAdding] = useState(false);
  const [version, setVersion] = useState(0);
  return (
    <Screen
      title={title}
      intro={intro}
      actions={
        mayBuild(account) ? (
          <button type="button" class="primary" onClick={() => setAdding(true)}>
            Add webhook
          </button>
        ) : null
      }
    >
      <List
        caption={title}
        read={async () => ({ rows: await readWebhooks(api, account.id), next: undefined })}
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => href(`/${folder}/${id}`)}
        version={version}
        empty={<Empty title="No webhooks yet">Add the URL of your server, and each event is sent to it.</Empty>}
      />
      {isAdding ? (
        <WebhookForm api={api} onClose={() => setAdding(false)} onSaved={() => setVersion((before) => before + 1)} />
      ) : null}
    </Screen>
  );
};

export const Webhooks = () => <WebhookList api="messaging" />;
export const CheckoutWebhooks = () => <WebhookList api="checkout" />;
