import { useState } from 'preact/hooks';
import type { CheckoutWebhook } from '../../client/admin.ts';
import { adminApi } from '../apis.ts';
import { Confirm } from '../parts/dialog.tsx';
import { useLoad } from '../parts/load.ts';
import { Screen, type ScreenProps, useHref } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { Empty, Loading, Trouble } from '../parts/trouble.tsx';
import { Facts, grouped, Id, Status, Time } from '../parts/words.tsx';
import { go } from '../place.ts';
import { mayBuild, useAccount } from '../session.ts';
import { Deliveries } from './deliveries.tsx';
import { ResendFailedDialog } from './replay.tsx';

/** One webhook of the checkout with its deliveries. */
export const OneCheckoutWebhook = ({ params }: ScreenProps) => {
  const account = useAccount();
  const href = useHref();
  const webhookId = params['id'] ?? '';
  const [open, setOpen] = useState<'resend' | 'delete'>();
  const [version, setVersion] = useState(0);
  const close = () => setOpen(undefined);
  const loaded = useLoad(async () => {
    const { data } = await adminApi.call('GET /accounts/{id}/checkout-webhooks', { path: { id: account.id } });
    return { webhook: data.find(({ id }) => id === webhookId) };
  }, [account.id, webhookId]);
  const webhook = loaded.value?.webhook;
  const refresh = () => {
    loaded.reload();
    setVersion((before) => before + 1);
  };
  return (
    <Screen
      title={webhook?.name ?? 'Webhook'}
      back={{ href: href('/checkout-webhooks'), label: 'Checkout webhooks' }}
      actions={
        webhook && mayBuild(account) ? (
          <button type="button" onClick={() => setOpen('delete')}>
            Delete
          </button>
        ) : null
      }
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
              api="checkout"
              webhookId={webhookId}
              version={version}
              tools={
                <>
                  <button type="button" onClick={refresh}>
                    Refresh
                  </button>
                  {mayBuild(account) ? (
                    <button type="button" onClick={() => setOpen('resend')}>
                      Resend failed
                    </button>
                  ) : null}
                </>
              }
            />
          </section>
        </>
      ) : null}
      {open === 'resend' ? (
        <ResendFailedDialog api="checkout" webhookId={webhookId} onClose={close} onDone={refresh} />
      ) : null}
      {webhook && open === 'delete' ? (
        <Confirm
          title={`Delete “${webhook.name}”?`}
          action="Delete webhook"
          onClose={close}
          onConfirm={async () => {
            const path = { id: account.id, webhookId };
            await adminApi.call('DELETE /accounts/{id}/checkout-webhooks/{webhookId}', { path });
            toast(`“${webhook.name}” was deleted`);
            go(href('/checkout-webhooks'));
          }}
        >
          <p>Pending deliveries are cancelled, and the log is deleted. This cannot be undone.</p>
        </Confirm>
      ) : null}
    </Screen>
  );
};

const WebhookFacts = ({ webhook }: { readonly webhook: CheckoutWebhook }) => (
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
      ['Last failure', webhook.lastFailedAt ? <Time key="failed" at={webhook.lastFailedAt} /> : null],
      ['Id', <Id key="id" value={webhook.id} />],
    ]}
  />
);
