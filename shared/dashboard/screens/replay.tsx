import { adminApi, messagingApi } from '../apis.ts';
import { Dialog } from '../parts/dialog.tsx';
import { CheckFields, Form, TextField } from '../parts/form.tsx';
import { chosenIn, textIn } from '../parts/form-values.ts';
import { toast } from '../parts/toast.tsx';
import { instantIn, localText, midnight } from '../parts/when.ts';
import { grouped } from '../parts/words.tsx';
import { useAccount } from '../session.ts';
import { messageEvents, type WebhookApi, webhookApis } from './webhook-apis.ts';

interface Props {
  readonly webhookId: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const resent = (count: number): string =>
  count === 0
    ? 'There was nothing to send again'
    : `${grouped(count)} ${count === 1 ? 'delivery' : 'deliveries'} will be sent again`;

/** Delivers what happened in a period again. */
export const ReplayDialog = ({ webhookId, since = midnight(), onClose, onDone }: Props & { readonly since?: Date }) => {
  const api = messagingApi(useAccount().id);
  return (
    <Dialog title="Replay a period" onClose={onClose}>
      <Form
        submit="Replay"
        onCancel={onClose}
        onSubmit={async (values) => {
          const until = instantIn(textIn(values, 'until'));
          const body = {
            since: instantIn(textIn(values, 'since')) ?? '',
            ...(until && { until }),
            events: chosenIn(values, 'events', messageEvents),
            onlyFailed: values.get('onlyFailed') === 'true',
          };
          const { data } = await api.call('POST /webhooks/{id}/replay', { path: { id: webhookId }, body });
          toast(resent(data.deliveries));
          onDone();
          return onClose;
        }}
      >
        <p>Each event that happened in this time is delivered again, with its own event id.</p>
        <div class="row">
          <TextField name="since" label="From" type="datetime-local" value={localText(since)} />
          <TextField name="until" label="To" type="datetime-local" isOptional />
        </div>
        <CheckFields
          name="events"
          label="Events"
          choices={messageEvents.map((event) => [event, event] as const)}
          checked={messageEvents}
        />
        <CheckFields
          name="onlyFailed"
          label="Which"
          choices={[
            ['false', 'All of them'],
            ['true', 'Only those whose delivery failed'],
          ]}
          checked={['false']}
          isSingle
        />
      </Form>
    </Dialog>
  );
};

const states = ['failed', 'cancelled'] as const;

/** Sends failed deliveries again. */
export const ResendFailedDialog = ({ api, webhookId, onClose, onDone }: Props & { readonly api: WebhookApi }) => {
  const { id } = useAccount();
  return (
    <Dialog title="Resend failed deliveries" onClose={onClose}>
      <Form
        submit="Resend"
        onCancel={onClose}
        onSubmit={async (values) => {
          const body = { since: instantIn(textIn(values, 'since')) ?? '', states: chosenIn(values, 'states', states) };
          const { data } = await adminApi.call(
            `POST /accounts/{id}/${webhookApis[api].folder}/{webhookId}/deliveries/resend-failed`,
            {
              path: { id, webhookId },
              body,
            },
          );
          toast(resent(data.count));
          onDone();
          return onClose;
        }}
      >
        <TextField
          name="since"
          label="Since"
          type="datetime-local"
          value={localText(midnight(1))}
          hint="Events that happened at or after this time; at most 1,000 at once."
        />
        <CheckFields
          name="states"
          label="Deliveries"
          choices={[
            ['failed', 'Failed', 'All attempts were used up'],
            ['cancelled', 'Cancelled', 'The webhook was paused'],
          ]}
          checked={['failed']}
        />
      </Form>
    </Dialog>
  );
};
