import { messagingApi } from '../apis.ts';
import { CheckFields, TextField } from '../parts/form.tsx';
import { SecretDialog } from '../parts/secret.tsx';
import { useAccount } from '../session.ts';
import { changesIn, type Webhook, type WebhookApi, webhookApis } from './webhook-apis.ts';

interface Props {
  readonly api: WebhookApi;
  /** The webhook to change; without it, a new one is made, and its secret shown. */
  readonly webhook?: Webhook;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Creates or changes a webhook. */
export const WebhookForm = ({ api, webhook, onClose, onSaved }: Props) => {
  const { id } = useAccount();
  const { events, create } = webhookApis[api];
  return (
    <SecretDialog
      title={webhook ? 'Edit webhook' : 'Add a webhook'}
      submit={webhook ? 'Save' : 'Add webhook'}
      what="secret"
      hint={verifyHint}
      {...(!webhook && { remedy: 'If the webhook is in the list, delete it or rotate its secret.', onLost: onSaved })}
      onClose={onClose}
      onSubmit={async (values) => {
        const secret = webhook
          ? void (await messagingApi(id).call('PATCH /webhooks/{id}', {
              path: { id: webhook.id },
              body: changesIn(values, webhook),
            }))
          : await create(id, values);
        onSaved();
        return secret;
      }}
    >
      <TextField name="name" label="Name" value={webhook?.name} isOptional={api === 'checkout'} />
      <TextField name="url" label="URL" type="url" value={webhook?.url} placeholder="https://example.com/hooks" />
      <CheckFields
        name="events"
        label="Events"
        choices={events.map((event) => [event, event] as const)}
        checked={webhook?.events ?? events}
      />
    </SecretDialog>
  );
};

export const verifyHint = (
  <p class="small">
    Verify each delivery with it:{' '}
    <a href="/docs/webhooks" target="_blank" rel="noreferrer">
      how to verify
    </a>
    .
  </p>
);
