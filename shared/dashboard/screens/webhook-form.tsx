import { useState } from 'preact/hooks';
import type { Webhook } from '../../client/messaging.ts';
import { messagingApi } from '../apis.ts';
import { Dialog } from '../parts/dialog.tsx';
import { CheckFields, chosenIn, Form, TextField, textIn } from '../parts/form.tsx';
import { Secret } from '../parts/secret.tsx';
import { useAccount } from '../session.ts';

export const events = ['message.sent', 'message.delivered', 'message.failed', 'message.bounced'] as const;
const choices = events.map((event) => [event, event] as const);

interface Props {
  /** The webhook to change; without it, a new one is made, and its secret shown. */
  readonly webhook?: Webhook;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Creates or changes a webhook. */
export const WebhookForm = ({ webhook, onClose, onSaved }: Props) => {
  const api = messagingApi(useAccount().id);
  const [secret, setSecret] = useState<string>();
  if (secret) return <SecretDialog title="The webhook’s secret" secret={secret} onClose={onClose} />;
  return (
    <Dialog title={webhook ? 'Edit webhook' : 'Add a webhook'} onClose={onClose}>
      <Form
        submit={webhook ? 'Save' : 'Add webhook'}
        onCancel={onClose}
        onSubmit={async (values) => {
          const body = {
            name: textIn(values, 'name'),
            url: textIn(values, 'url'),
            events: chosenIn(values, 'events', events),
          };
          if (webhook) {
            await api.call('PATCH /webhooks/{id}', { path: { id: webhook.id }, body });
            onSaved();
            onClose();
          } else {
            const { data } = await api.call('POST /webhooks', { body });
            onSaved();
            setSecret(data.secret);
          }
        }}
      >
        <TextField name="name" label="Name" value={webhook?.name} />
        <TextField name="url" label="URL" type="url" value={webhook?.url} placeholder="https://example.com/hooks" />
        <CheckFields name="events" label="Events" choices={choices} checked={webhook?.events ?? [...events]} />
      </Form>
    </Dialog>
  );
};

interface SecretProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}

export const SecretDialog = ({ title, secret, onClose }: SecretProps) => (
  <Dialog title={title} onClose={onClose}>
    <Secret value={secret} what="secret" />
    <p class="small">
      Verify each delivery with it: <a href="/docs/webhooks">how to verify</a>.
    </p>
    <div class="actions">
      <button type="button" class="primary" onClick={onClose}>
        Done
      </button>
    </div>
  </Dialog>
);
