import { useState } from 'preact/hooks';
import type { Webhook } from '../../client/messaging.ts';
import { messagingApi } from '../apis.ts';
import { Confirm } from '../parts/dialog.tsx';
import { useLoad } from '../parts/load.ts';
import { Screen, type ScreenProps, useHref } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { Loading, Trouble } from '../parts/trouble.tsx';
import { Facts, grouped, Id, Status, Time } from '../parts/words.tsx';
import { go } from '../place.ts';
import { mayBuild, useAccount } from '../session.ts';
import { Deliveries } from './deliveries.tsx';
import { ReplayDialog, ResendFailedDialog } from './replay.tsx';
import { PauseDialog, RotateDialog, TestDialog } from './webhook-dialogs.tsx';
import { WebhookForm } from './webhook-form.tsx';

type Opened = 'edit' | 'rotate' | 'test' | 'replay' | 'resend' | 'pause' | 'delete';

/** One webhook with its deliveries. */
export const OneWebhook = ({ params }: ScreenProps) => {
  const account = useAccount();
  const href = useHref();
  const api = messagingApi(account.id);
  const path = { id: params['id'] ?? '' };
  const [open, setOpen] = useState<Opened>();
  const [version, setVersion] = useState(0);
  const loaded = useLoad(
    () => api.call('GET /webhooks/{id}', { path }).then(({ data }) => data),
    [account.id, path.id],
  );
  const webhook = loaded.value;
  const isBuilder = mayBuild(account);
  const refresh = () => {
    loaded.reload();
    setVersion((before) => before + 1);
  };
  const button = (kind: Opened, label: string) => (
    <button type="button" onClick={() => setOpen(kind)}>
      {label}
    </button>
  );
  return (
    <Screen
      title={webhook?.name ?? 'Webhook'}
      back={{ href: href('/webhooks'), label: 'Webhooks' }}
      actions={
        webhook && isBuilder ? (
          <>
            {button('test', 'Send test')}
            {button('edit', 'Edit')}
            {button('pause', webhook.isActive ? 'Pause' : 'Resume')}
            {button('rotate', 'Rotate secret')}
            {button('delete', 'Delete')}
          </>
        ) : null
      }
    >
      {loaded.problem ? <Trouble problem={loaded.problem} retry={loaded.reload} /> : null}
      {!webhook && loaded.isLoading ? <Loading /> : null}
      {webhook ? (
        <>
          <section class="card">
            <h2>Details</h2>
            <WebhookFacts webhook={webhook} />
          </section>
          <section>
            <h2 class="gap">Deliveries</h2>
            <Deliveries
              webhookId={webhook.id}
              version={version}
              tools={
                <>
                  <button type="button" onClick={refresh}>
                    Refresh
                  </button>
                  {isBuilder ? button('resend', 'Resend failed') : null}
                  {isBuilder ? button('replay', 'Replay a period') : null}
                </>
              }
            />
          </section>
          <Dialogs open={open} webhook={webhook} onClose={() => setOpen(undefined)} onChanged={refresh} />
        </>
      ) : null}
    </Screen>
  );
};

interface DialogsProps {
  readonly open: Opened | undefined;
  readonly webhook: Webhook;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

const Dialogs = ({ open, webhook, onClose, onChanged }: DialogsProps) => {
  const { id } = webhook;
  switch (open) {
    case 'edit':
      return <WebhookForm webhook={webhook} onClose={onClose} onSaved={onChanged} />;
    case 'test':
      return <TestDialog webhook={webhook} onClose={onClose} />;
    case 'rotate':
      return <RotateDialog webhook={webhook} onClose={onClose} />;
    case 'pause':
      return <PauseDialog webhook={webhook} onClose={onClose} onChanged={onChanged} />;
    case 'replay':
      return <ReplayDialog webhookId={id} onClose={onClose} onDone={onChanged} />;
    case 'resend':
      return <ResendFailedDialog webhookId={id} onClose={onClose} onDone={onChanged} />;
    case 'delete':
      return <DeleteDialog webhook={webhook} onClose={onClose} />;
    default:
      return null;
  }
};

const DeleteDialog = ({ webhook, onClose }: Pick<DialogsProps, 'webhook' | 'onClose'>) => {
  const account = useAccount();
  const href = useHref();
  return (
    <Confirm
      title={`Delete “${webhook.name}”?`}
      action="Delete webhook"
      onClose={onClose}
      onConfirm={async () => {
        await messagingApi(account.id).call('DELETE /webhooks/{id}', { path: { id: webhook.id } });
        toast(`“${webhook.name}” was deleted`);
        go(href('/webhooks'));
      }}
    >
      <p>Pending deliveries are cancelled, and the log is deleted. This cannot be undone.</p>
    </Confirm>
  );
};

const WebhookFacts = ({ webhook }: { readonly webhook: Webhook }) => (
  <Facts
    rows={[
      ['Status', <Status key="status" of={webhook.isActive ? 'active' : 'paused'} />],
      ['URL', <code key="url">{webhook.url}</code>],
      [
        'Events',
        webhook.events.map((event) => (
          <span key={event} class="tag">
            {event}
          </span>
        )),
      ],
      ['Delivered', grouped(webhook.totalSent)],
      ['Failed', grouped(webhook.totalFailed)],
      ['Last failure', webhook.lastFailedAt ? <Time at={webhook.lastFailedAt} /> : null],
      ['Id', <Id key="id" value={webhook.id} />],
    ]}
  />
);
