import { useEffect, useState } from 'preact/hooks';
import type { Message, MessageTimelineEntry } from '../../client/messaging.ts';
import { messagingApi } from '../apis.ts';
import { Confirm } from '../parts/dialog.tsx';
import { useLoad } from '../parts/load.ts';
import { Screen, type ScreenProps, useHref } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { Loading, Trouble } from '../parts/trouble.tsx';
import { answered, Facts, Id, Status, sentence, Time } from '../parts/words.tsx';
import { go } from '../place.ts';
import { mayBuild, useAccount } from '../session.ts';
import { isCancellable } from './cancellable.ts';

const moving = ['queued', 'sending', 'sent'];
const lookEveryMs = 3_000;
const looks = 20;

/** One message: what it is, and what has happened to it. */
export const OneMessage = ({ params }: ScreenProps) => {
  const account = useAccount();
  const href = useHref();
  const api = messagingApi(account.id);
  const path = { id: params['id'] ?? '' };
  const [isCancelling, setCancelling] = useState(false);
  const [looked, setLooked] = useState(0);
  const loaded = useLoad(async () => {
    const [message, events] = await Promise.all([
      api.call('GET /messages/{id}', { path }),
      api.call('GET /messages/{id}/events', { path }),
    ]);
    return { message: message.data, events: events.data };
  }, [account.id, path.id]);
  const { value } = loaded;
  const isMoving = value !== undefined && moving.includes(value.message.status);

  // A message that is under way is followed for a minute.
  useEffect(() => {
    if (!isMoving || looked >= looks) return;
    const timer = setTimeout(async () => {
      await loaded.reload();
      setLooked(looked + 1);
    }, lookEveryMs);
    return () => clearTimeout(timer);
  }, [isMoving, looked]);

  return (
    <Screen
      title={value?.message.to ?? 'Message'}
      back={{ href: href('/messages'), label: 'Messages' }}
      actions={
        value && isCancellable(value.message) && mayBuild(account) ? (
          <button type="button" onClick={() => setCancelling(true)}>
            Cancel message
          </button>
        ) : null
      }
    >
      {loaded.problem ? <Trouble problem={loaded.problem} retry={loaded.reload} /> : null}
      {!value && loaded.isLoading ? <Loading /> : null}
      {value ? (
        <div class="halves">
          <section class="card">
            <h2>Details</h2>
            <MessageFacts message={value.message} />
          </section>
          <section class="card">
            <h2>Timeline</h2>
            <Timeline events={value.events} />
          </section>
        </div>
      ) : null}
      {isCancelling ? (
        <Confirm
          title="Cancel this message?"
          action="Cancel message"
          onClose={() => setCancelling(false)}
          onConfirm={async () => {
            await api.call('DELETE /messages/{id}', { path });
            toast('The message was cancelled');
            return () => go(href('/messages'));
          }}
        >
          <p>It is not sent, and its credits are returned.</p>
        </Confirm>
      ) : null}
    </Screen>
  );
};

/** What may have put the address on the list of suppressions. */
const suppressing = ['bounced', 'complained'];

const SuppressionLink = ({ to }: { readonly to: string }) => (
  <a href={`${useHref()('/suppressions')}?${new URLSearchParams({ address: to })}`}>Look for the address</a>
);

const MessageFacts = ({ message }: { readonly message: Message }) => (
  <Facts
    rows={[
      ['Status', <Status key="status" of={message.status} />],
      ['Why', message.failureReason],
      ['Suppression', suppressing.includes(message.status) && message.to ? <SuppressionLink to={message.to} /> : null],
      ['Code', message.failureCode ? <code>{message.failureCode}</code> : null],
      ['Channel', sentence(message.channel)],
      ['Created', <Time key="created" at={message.createdAt} isExact />],
      ['Scheduled for', message.scheduledAt ? <Time at={message.scheduledAt} /> : null],
      ['Sent', message.sentAt ? <Time at={message.sentAt} isExact /> : null],
      ['Delivered', message.deliveredAt ? <Time at={message.deliveredAt} isExact /> : null],
      [
        'Tags',
        message.tags.length > 0
          ? message.tags.map((tag) => (
              <span key={tag} class="tag">
                {tag}
              </span>
            ))
          : null,
      ],
      [
        'Metadata',
        Object.keys(message.metadata).length > 0 ? <pre>{JSON.stringify(message.metadata, null, 2)}</pre> : null,
      ],
      ['Id', <Id key="id" value={message.id} />],
    ]}
  />
);

const Timeline = ({ events }: { readonly events: readonly MessageTimelineEntry[] }) => (
  <ol class="timeline">
    {events.map(({ at, type, detail }) => (
      <li key={`${at} ${type} ${detail.deliveryId ?? ''}`}>
        <Status of={type === 'webhook_delivery' ? (detail.state ?? type) : type} />
        <Time at={at} isExact />
        <p class="small quiet">{detailOf(type, detail)}</p>
      </li>
    ))}
  </ol>
);

const detailOf = (type: string, detail: MessageTimelineEntry['detail']): string =>
  [
    type === 'webhook_delivery' ? `Webhook ${detail.event ?? ''}` : undefined,
    type === 'attempt' && detail.outcome ? `Provider: ${detail.outcome}` : undefined,
    detail.statusCode === undefined ? undefined : answered(detail.statusCode),
    detail.attempts !== undefined ? `${detail.attempts} ${detail.attempts === 1 ? 'attempt' : 'attempts'}` : undefined,
    detail.code,
    detail.reason,
    detail.reference,
  ]
    .filter(Boolean)
    .join(' · ');
