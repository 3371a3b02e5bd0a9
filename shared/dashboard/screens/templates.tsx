import type { Template } from '../../client/messaging.ts';
import { messagingApi } from '../apis.ts';
import type { Filter } from '../parts/filters.tsx';
import { type Column, List } from '../parts/list.tsx';
import { Screen, useHref } from '../parts/screen.tsx';
import { Empty } from '../parts/trouble.tsx';
import { Status, sentence, Time } from '../parts/words.tsx';
import { mayBuild, useAccount } from '../session.ts';

const channels = ['email', 'sms', 'whatsapp'] as const;
const filters: readonly Filter[] = [
  { name: 'channel', label: 'Channel', choices: channels.map((name) => [name, sentence(name)] as const) },
];

const columns: readonly Column<Template>[] = [
  { label: 'Name', cell: ({ name }) => name },
  { label: 'Channel', cell: ({ channel }) => <span class="nowrap">{sentence(channel)}</span> },
  { label: 'Subject', cell: ({ subject }) => subject ?? '' },
  {
    label: 'Status',
    cell: ({ isActive, whatsappStatus }) => <Status of={whatsappStatus ?? (isActive ? 'active' : 'disabled')} />,
  },
  { label: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

export const Templates = () => {
  const account = useAccount();
  const href = useHref();
  return (
    <Screen
      title="Templates"
      intro="Reusable content. Sends name it by its id and give values for its placeholders."
      actions={
        mayBuild(account) ? (
          <a class="button primary" href={href('/templates/new')}>
            Create template
          </a>
        ) : null
      }
    >
      <List
        caption="Templates"
        read={async ({ channel }) => {
          const wanted = channels.find((each) => each === channel);
          const { data } = await messagingApi(account.id).call('GET /templates', {
            query: { ...(wanted && { channel: wanted }) },
          });
          return { rows: data, next: undefined };
        }}
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => href(`/templates/${id}`)}
        filters={filters}
        empty={<Empty title="No templates yet">Create one to send the same words again and again.</Empty>}
      />
    </Screen>
  );
};
