import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Delivery } from '../../client/admin.ts';
import { adminApi } from '../apis.ts';
import { Dialog } from '../parts/dialog.tsx';
import type { Filter } from '../parts/filters.tsx';
import { type Column, List, pageOf } from '../parts/list.tsx';
import { problemOfChange } from '../parts/lost-changes.ts';
import { toast } from '../parts/toast.tsx';
import { Empty } from '../parts/trouble.tsx';
import { answered, Id, Status, sentence, Time } from '../parts/words.tsx';
import { mayBuild, useAccount } from '../session.ts';
import { type WebhookApi, webhookApis } from './webhook-apis.ts';

interface Props {
  readonly api: WebhookApi;
  readonly webhookId: string;
  readonly version: unknown;
  readonly tools: ComponentChildren;
}

const states = ['pending', 'succeeded', 'failed', 'cancelled'] as const;
const filters: readonly Filter[] = [
  { name: 'state', label: 'State', choices: states.map((name) => [name, sentence(name)]) },
];

const lastAnswer = ({ attempts }: Delivery): string => {
  const last = attempts.at(-1);
  if (!last) return '–';
  return last.statusCode === 0 ? last.responseBody : String(last.statusCode);
};

/** The deliveries of a webhook, with their attempts and a way to send each again. */
export const Deliveries = ({ api, webhookId, version, tools }: Props) => {
  const account = useAccount();
  const { folder } = webhookApis[api];
  const [shown, setShown] = useState<Delivery>();
  const [resent, setResent] = useState(0);
  const [busy, setBusy] = useState<readonly string[]>([]);

  const resend = async (delivery: Delivery): Promise<void> => {
    setBusy((ids) => [...ids, delivery.id]);
    try {
      await adminApi.call(`POST /accounts/{id}/${folder}/{webhookId}/deliveries/{deliveryId}/resend`, {
        path: { id: account.id, webhookId, deliveryId: delivery.id },
      });
      toast('The delivery will be sent again');
      setResent((times) => times + 1);
    } catch (thrown) {
      toast(problemOfChange(thrown).message, 'bad');
    } finally {
      setBusy((ids) => ids.filter((id) => id !== delivery.id));
    }
  };

  const columns: readonly Column<Delivery>[] = [
    { label: 'Event', cell: ({ event }) => <code>{event}</code> },
    { label: 'State', cell: ({ state }) => <Status of={state} /> },
    { label: 'Attempts', cell: ({ attemptsMade }) => attemptsMade, isNumber: true },
    { label: 'Last answer', cell: lastAnswer },
    { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} isExact /> },
    {
      label: 'Actions',
      isActions: true,
      cell: (delivery) => (
        <span class="actions">
          <button type="button" onClick={() => setShown(delivery)}>
            Attempts
            <OfDelivery delivery={delivery} />
          </button>
          {mayBuild(account) && delivery.eventId ? (
            <button
              type="button"
              aria-disabled={busy.includes(delivery.id)}
              // A double click is one wish.
              onClick={({ detail }) => {
                if (!busy.includes(delivery.id) && detail < 2) resend(delivery);
              }}
            >
              Resend
              <OfDelivery delivery={delivery} />
            </button>
          ) : null}
        </span>
      ),
    },
  ];
  return (
    <>
      <List
        caption="Deliveries"
        read={async (query) =>
          pageOf(
            await adminApi.call(`GET /accounts/{id}/${folder}/{webhookId}/deliveries`, {
              path: { id: account.id, webhookId },
              query,
            }),
          )
        }
        columns={columns}
        keyOf={({ id }) => id}
        filters={filters}
        version={`${version} ${resent}`}
        tools={tools}
        empty={<Empty title="No deliveries yet">Each event that is sent to it is listed here.</Empty>}
      />
      {shown ? <AttemptsDialog delivery={shown} onClose={() => setShown(undefined)} /> : null}
    </>
  );
};

/** What a button of a row is for, where the row is not seen. */
const OfDelivery = ({ delivery: { event, createdAt } }: { readonly delivery: Delivery }) => (
  <span class="hidden">
    {' '}
    {event} <Time at={createdAt} isExact />
  </span>
);

const AttemptsDialog = ({ delivery, onClose }: { readonly delivery: Delivery; readonly onClose: () => void }) => (
  <Dialog title={delivery.event} onClose={onClose}>
    {delivery.eventId ? (
      <p>
        Event <Id value={delivery.eventId} what="event id" />
      </p>
    ) : null}
    {delivery.attempts.length === 0 ? <p class="quiet">No attempt was made yet.</p> : null}
    <ol class="timeline">
      {delivery.attempts.map(({ number, at, statusCode, responseTime, responseBody, success }) => (
        <li key={number}>
          <Status of={success ? 'succeeded' : 'failed'} />
          <Time at={at} isExact />
          <p class="small quiet">
            Attempt {number} · {answered(statusCode)} in {responseTime} ms
          </p>
          {responseBody ? <pre>{responseBody}</pre> : null}
        </li>
      ))}
    </ol>
    {delivery.nextAttemptAt ? (
      <p class="quiet">
        Next attempt <Time at={delivery.nextAttemptAt} isExact />
      </p>
    ) : null}
  </Dialog>
);
