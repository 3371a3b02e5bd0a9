import { useEffect, useState } from 'preact/hooks';
import type { Operations } from '../../client/messaging.ts';
import { messagingApi } from '../apis.ts';
import { Confirm, Dialog } from '../parts/dialog.tsx';
import { Form, type Submitted } from '../parts/form.tsx';
import { useAnswer } from '../parts/load.ts';
import { OverlapField, overlapIn } from '../parts/overlap.tsx';
import { SecretDialog } from '../parts/secret.tsx';
import { toast } from '../parts/toast.tsx';
import { Loading, Trouble } from '../parts/trouble.tsx';
import { Facts, Status, Time } from '../parts/words.tsx';
import { useAccount } from '../session.ts';
import { ReplayDialog } from './replay.tsx';
import type { Webhook } from './webhook-apis.ts';
import { verifyHint } from './webhook-form.tsx';

interface Props {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

interface Changing extends Props {
  readonly onChanged: () => void;
}

type Tested = Operations['POST /webhooks/{id}/test']['reply']['data'];

/** Sends a test event, and shows what the server answered. */
export const TestDialog = ({ webhook, onClose, onChanged }: Changing) => {
  const api = messagingApi(useAccount().id);
  const path = { id: webhook.id };
  const sent = useAnswer(() => api.call('POST /webhooks/{id}/test', { path }).then(({ data }) => data), [webhook.id]);
  useEffect(() => {
    if (sent.value) onChanged();
  }, [sent.value]);
  return (
    <Dialog title="Test event" onClose={onClose}>
      <p>
        A <code>webhook.test</code> event goes to <code>{webhook.url}</code>.
      </p>
      {sent.problem ? <Trouble problem={sent.problem} /> : null}
      {sent.isLoading ? <Loading lines={3} /> : null}
      {sent.value && !sent.problem ? <TestFacts tested={sent.value} /> : null}
      <div class="actions">
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
        <button
          type="button"
          aria-disabled={sent.isLoading}
          // A double click is one wish.
          onClick={({ detail }) => {
            if (!sent.isLoading && detail < 2) sent.reload();
          }}
        >
          Send again
        </button>
      </div>
    </Dialog>
  );
};

/** How receivers answer what they cannot verify. */
const refusals = [400, 401, 403];

const TestFacts = ({ tested: { success, statusCode, responseTime, responseBody } }: { readonly tested: Tested }) => (
  <>
    <Facts
      rows={[
        ['Result', <Status key="result" of={success ? 'succeeded' : 'failed'} />],
        ['Answer', statusCode === 0 ? 'None' : String(statusCode)],
        ['Time', `${responseTime} ms`],
        ['Body', responseBody ? <pre>{responseBody}</pre> : null],
      ]}
    />
    {refusals.includes(statusCode) ? (
      <p>
        A test has only the older signature <code>X-Webhook-Signature</code>.{' '}
        <a href="/docs/receiving#try-it" target="_blank" rel="noreferrer">
          A receiver that verifies the newer ones
        </a>{' '}
        refuses it, and still accepts events.
      </p>
    ) : null}
  </>
);

/** Replaces the secret; for a while deliveries carry signatures with both. */
export const RotateDialog = ({ webhook, onClose }: Props) => {
  const api = messagingApi(useAccount().id);
  return (
    <SecretDialog
      title="Rotate the secret"
      submit="Rotate secret"
      what="secret"
      hint={verifyHint}
      remedy="The secret may have been replaced all the same. Rotate it again to see the new one."
      onClose={onClose}
      onSubmit={async (values) => {
        const body = overlapIn(values);
        return (await api.call('POST /webhooks/{id}/rotate-secret', { path: { id: webhook.id }, body })).data.secret;
      }}
    >
      <OverlapField
        what="secret"
        hint="In this time each delivery is signed with both secrets, so that your server can change without a gap."
      />
    </SecretDialog>
  );
};

/** Pauses or resumes. A webhook that was resumed offers what it missed. */
export const PauseDialog = ({ webhook, onClose, onChanged }: Changing) => {
  const api = messagingApi(useAccount().id);
  const [isPausing] = useState(webhook.isActive);
  const [missedSince, setMissedSince] = useState<string>();
  const [isReplaying, setReplaying] = useState(false);
  if (isReplaying && missedSince)
    return <ReplayDialog webhookId={webhook.id} since={new Date(missedSince)} onClose={onClose} onDone={onChanged} />;
  if (missedSince)
    return (
      <Dialog key="missed" title="The webhook is active again" onClose={onClose}>
        <p>
          It has missed events since <Time at={missedSince} />.
        </p>
        <div class="actions">
          <button type="button" class="primary" onClick={() => setReplaying(true)}>
            Replay them
          </button>
          <button type="button" onClick={onClose}>
            Not now
          </button>
        </div>
      </Dialog>
    );
  const change = async (): Submitted => {
    const { data } = await api.call('PATCH /webhooks/{id}', {
      path: { id: webhook.id },
      body: { isActive: !isPausing },
    });
    toast(isPausing ? 'The webhook is paused' : 'The webhook is active');
    onChanged();
    return data.missedSince ? () => setMissedSince(data.missedSince) : onClose;
  };
  return isPausing ? (
    <Confirm title={`Pause “${webhook.name}”?`} action="Pause" onClose={onClose} onConfirm={change}>
      <p>Pending deliveries are cancelled. When you resume it, you can replay what it missed.</p>
    </Confirm>
  ) : (
    <Dialog title={`Resume “${webhook.name}”?`} onClose={onClose}>
      <Form submit="Resume" onCancel={onClose} onSubmit={change} />
    </Dialog>
  );
};
