import { useState } from 'preact/hooks';
import { adminApi } from '../apis.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { OverlapField, overlapIn } from '../parts/overlap.tsx';
import { toast } from '../parts/toast.tsx';
import { Loading, Trouble } from '../parts/trouble.tsx';
import { Facts, Id } from '../parts/words.tsx';
import { useAccount } from '../session.ts';

/** The URLs that the account’s providers call, for those who may see them: a caller who has the one for sms is accepted as the gateway. */
export const CallbackUrls = () => {
  const path = { id: useAccount().id };
  const [isReplacing, setReplacing] = useState(false);
  const urls = useLoad(
    () => adminApi.call('GET /accounts/{id}/callback-urls', { path }).then(({ data }) => data),
    [path.id],
  );
  const replace = async (values: FormData) => {
    const body = overlapIn(values);
    await adminApi.call('POST /accounts/{id}/callback-urls/rotate', { path, body });
    toast('The URL is replaced. Give your gateway the new one');
    urls.reload();
    return () => setReplacing(false);
  };
  return (
    <section class="card" aria-label="Callback URLs">
      <h2>Callback URLs</h2>
      {urls.problem ? <Trouble problem={urls.problem} retry={urls.reload} /> : null}
      {!urls.value && urls.isLoading ? <Loading lines={2} /> : null}
      {urls.value ? (
        <>
          <Facts
            rows={[
              ['Inbound sms', <Id key="sms" value={urls.value.smsInbound} what="URL for inbound sms" />],
              ['Whatsapp', <Id key="whatsapp" value={urls.value.whatsapp} what="URL for whatsapp" />],
            ]}
          />
          <p>Your providers call them. A caller who has the URL for inbound sms is accepted as your gateway.</p>
          <div class="actions">
            <button type="button" onClick={() => setReplacing(true)}>
              Replace the URL for inbound sms
            </button>
          </div>
        </>
      ) : null}
      {isReplacing ? (
        <Dialog title="Replace the URL for inbound sms" onClose={() => setReplacing(false)}>
          <Form submit="Replace URL" isDangerous onCancel={() => setReplacing(false)} onSubmit={replace}>
            <OverlapField
              what="URL"
              hint="In this time both URLs are accepted, so that your gateway can change without a gap. After it, a STOP that is sent to the old URL is lost."
            />
          </Form>
        </Dialog>
      ) : null}
    </section>
  );
};
