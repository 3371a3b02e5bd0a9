import { useState } from 'preact/hooks';
import { Confirm } from '../parts/dialog.tsx';
import { useLoad } from '../parts/load.ts';
import { Screen, type ScreenProps, useHref } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { Empty, Loading, Trouble } from '../parts/trouble.tsx';
import { Facts, grouped, Id, Status, Time } from '../parts/words.tsx';
import { go } from '../place.ts';
import { mayBuild, useAccount } from '../session.ts';
import { Deliveries } from './deliveries.tsx';
import { ReplayDialog, ResendFailedDialog } from './replay.tsx';
import { readWebhooks, type Webhook, type WebhookApi, webhookApis } from './webhook-apis.ts';
import { PauseDialog, RotateDialog, TestDialog } from './webhook-dialogs.tsx';
import { WebhookForm } from './webhook-form.tsx';

type Opened = 'edit' | 'rotate' | 'test' | 'replay' | 'resend' | 'pause' | 'delete';

/** What can be opened, and its button. */
type Actions = readonly (readonly [Opened, string])[];

const actionsOf = (api: WebhookApi, { isActive }: Webhook): Actions => [
  ...(webhookApis[api].isChangeable
    ? ([
        ['test', 'Send test'],
        ['edit', 'Edit'],
        ['pause', isActive ? 'Pause' : 'Resume'],
        ['rotate', 'Rotate secret'],
      ] as const)
    : []),
  ['delete', 'Delete'],
];

const deliveryActionsOf = (api: WebhookApi): Actions => [
  ['resend', 'Resend failed'],
  ...(webhookApis[api].isChangeable ? ([['replay', 'Replay a period']] as const) : []),
];

interface Props {
  readonly api: WebhookApi;
  readonly id: string;
}

/** One webhook with its deliveries. */
const WebhookScreen = ({ api, id }: Props) => {
  const account = useAccount();
  const href = useHref();
  const { folder, title } = webhookApis[api];
  const [open, setOpen] = useState<Opened>();
  const [version, setVersion] = useState(0);
  const loaded = useLoad(
    async () => ({ webhook: (await readWebhooks(api, account.id)).find((each) => each.id === id) }),
    [account.id, id],
  );
  const webhook = loaded.value?.webhook;
  const isBuilder = mayBuild(account);
  const refresh = () => {
    loaded.reload();
    setVersion((before) => before + 1);
  };
  const buttons = (actions: Actions) =>
    actions.map(([kind, label]) => (
      <button key={kind} type="button" onClick={() => setOpen(kind)}>
        {label}
      </button>
    ));
  return (
    <Screen
      title={webhook?.name ?? 'Webhook'}
      back={{ href: href(`/${folder}`), label: title }}
      actions={webhook && isBuilder ? buttons(actionsOf(api, webhook)) : null}
    >
      {loaded.problem ? <Trouble problem={loaded.problem} retry={loaded.reload} /> : null}
      {!loaded.value && loaded.isLoading ? <Loading /> : null}
      {loaded.value && !webhook ? <Empty title="This webhook does not exist" /> : null}
      {webhook ? (
        <>
          <section class="card">
            <h2>Details</h2>
            <WebhookFacts webhook={webhook} />
          </section>
          <section>
            <h2 class="gap">Deliveries</h2>
            <Deliveries
              api={api}
              webhookId={webhook.id}
              version={version}
              tools={
                <>
                  <button type="button" onClick={refresh}>
                    Refresh
                  </button>
                  {isBuilder ? buttons(deliveryActionsOf(api)) : null}
                </>
              }
            />
          </section>
          <Dialogs api={api} open={open} webhook={webhook} onClose={() => setOpen(undefined)} onChanged={refresh} />
        </>
      ) : null}
    </Screen>
  );
};

export const OneWebhook = ({ params }: ScreenProps) => <WebhookScreen api="messaging" id={params['id'] ?? ''} />;
export const OneCheckoutWebhook = ({ params }: ScreenProps) => <WebhookScreen api="checkout" id={params['id'] ?? ''} />;

interface DialogsProps {
  readonly api: WebhookApi;
  readonly open: Opened | undefined;
  readonly webhook: Webhook;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

const Dialogs = ({ api, open, webhook, onClose, onChanged }: DialogsProps) => {
  const { id } = webhook;
  switch (open) {
    case 'edit':
      return <WebhookForm api={api} webhook={webhook} onClose={onClose} onSaved={onChanged} />;
    case 'test':
      return <TestDialog webhook={webhook} onClose={onClose} onChanged={onChanged} />;
    case 'rotate':
      return <RotateDialog webhook={webhook} onClose={onClose} />;
    case 'pause':
      return <PauseDialog webhook={webhook} onClose={onClose} onChanged={onChanged} />;
    case 'replay':
      return <ReplayDialog webhookId={id} onClose={onClose} onDone={onChanged} />;
    case 'resend':
      return <ResendFailedDialog api={api} webhookId={id} onClose={onClose} onDone={onChanged} />;
    case 'delete':
      return <DeleteDialog api={api} webhook={webhook} onClose={onClose} />;
    default:
      return null;
  }
};

const DeleteDialog = ({ api, webhook, onClose }: Pick<DialogsProps, 'api' | 'webhook' | 'onClose'>) => {
  const account = useAccount();
  const href = useHref();
  const { folder, remove } = webhookApis[api];
  return (
    <Confirm
      title={`Delete “${webhook.name}”?`}
      action="Delete webhook"
      onClose={onClose}
      onConfirm={async () => {
        await remove(account.id, webhook.id);
        toast(`“${webhook.name}” was deleted`);
        return () => go(href(`/${folder}`));
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
      ['Failed for good', grouped(webhook.totalFailed)],
      ['Last failure', webhook.lastFailedAt ? <Time at={webhook.lastFailedAt} /> : null],
      ['Id', <Id key="id" value={webhook.id} />],
    ]}
  />
);
