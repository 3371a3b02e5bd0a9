import { useState } from 'preact/hooks';
import type { Message } from '../../client/messaging.ts';
import { messagingApi } from '../apis.ts';
import { addressFilter } from '../parts/address-filter.ts';
import { ExportButton } from '../parts/export.tsx';
import { type Filter, type Query, useFilters } from '../parts/filters.tsx';
import { type Column, List, pageOf } from '../parts/list.tsx';
import { beginOf, endOf } from '../parts/period.ts';
import { Screen, useHref } from '../parts/screen.tsx';
import { Empty } from '../parts/trouble.tsx';
import { notStored, Status, sentence, Time } from '../parts/words.tsx';
import { mayBuild, useAccount } from '../session.ts';
import { SendDialog } from './send-message.tsx';

const channels = ['email', 'sms', 'whatsapp'] as const;
const statuses = ['queued', 'sending', 'sent', 'delivered', 'opened', 'clicked', 'bounced', 'failed'] as const;
const choicesOf = (names: readonly string[]) => names.map((name) => [name, sentence(name)] as const);

const filters: readonly Filter[] = [
  {
    ...addressFilter('to'),
    placeholder: 'Whole address, phone or message id',
    takesIds: true,
  },
  { name: 'channel', label: 'Channel', choices: choicesOf(channels) },
  { name: 'status', label: 'Status', choices: choicesOf(statuses) },
  { name: 'from', label: 'From', kind: 'date' },
  { name: 'until', label: 'To', kind: 'date' },
];

/** Days in the viewer's zone become instants. */
const queryOf = ({ from, until, ...rest }: Query) => ({
  ...rest,
  ...(from && { createdAfter: beginOf(from) }),
  ...(until && { createdBefore: endOf(until) }),
});

const columns: readonly Column<Message>[] = [
  { label: 'Recipient', cell: ({ to }) => to ?? notStored },
  { label: 'Channel', cell: ({ channel }) => <span class="nowrap">{sentence(channel)}</span> },
  { label: 'Status', cell: ({ status }) => <Status of={status} /> },
  {
    label: 'Detail',
    cell: ({ failureReason, scheduledAt, status }) =>
      failureReason ??
      (status === 'queued' && scheduledAt ? (
        <>
          Scheduled for <Time at={scheduledAt} />
        </>
      ) : (
        ''
      )),
  },
  { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export const Messages = () => {
  const account = useAccount();
  const href = useHref();
  const [isSending, setSending] = useState(false);
  const api = messagingApi(account.id);
  const wanted = useFilters(filters);
  return (
    <Screen
      title="Messages"
      intro="Every email, sms and whatsapp message of this account."
      actions={
        <>
          <ExportButton
            key={JSON.stringify(wanted)}
            start={() => api.call('GET /messages/export', { query: queryOf(wanted) })}
            look={(id) => api.call('GET /messages/exports/{id}', { path: { id } })}
          />
          {mayBuild(account) ? (
            <button type="button" class="primary" onClick={() => setSending(true)}>
              Send a message
            </button>
          ) : null}
        </>
      }
    >
      <List
        caption="Messages"
        read={async (page) => pageOf(await api.call('GET /messages', { query: { limit: 25, ...queryOf(page) } }))}
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => href(`/messages/${id}`)}
        filters={filters}
        empty={
          <Empty title="No messages yet">
            <p>
              Send one here, or with an API key: <code>POST /api/v1/messages</code>.
            </p>
          </Empty>
        }
      />
      {isSending ? <SendDialog onClose={() => setSending(false)} /> : null}
    </Screen>
  );
};
