import { useState } from 'preact/hooks';
import type { Operations } from '../../client/messaging.ts';
import { messagingApi } from '../apis.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Form, SelectField, someTextIn, TextField, textIn } from '../parts/form.tsx';
import { useHref } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { go } from '../place.ts';
import { useAccount } from '../session.ts';

type Body = Operations['POST /messages']['request']['body'];
const channels = ['email', 'sms', 'whatsapp'] as const;

/** Sends one message, and opens it. */
export const SendDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const account = useAccount();
  const href = useHref();
  const [channel, setChannel] = useState<Body['channel']>('email');
  return (
    <Dialog title="Send a message" onClose={onClose}>
      <Form
        submit="Send"
        onCancel={onClose}
        onSubmit={async (values) => {
          const subject = someTextIn(values, 'subject');
          const body: Body = {
            channel,
            to: textIn(values, 'to'),
            text: textIn(values, 'text'),
            ...(subject && { subject }),
          };
          const { data } = await messagingApi(account.id).call('POST /messages', { body });
          toast('The message was accepted');
          onClose();
          go(href(`/messages/${data.id}`));
        }}
      >
        <SelectField
          name="channel"
          label="Channel"
          value={channel}
          choices={[
            ['email', 'Email'],
            ['sms', 'Sms'],
            ['whatsapp', 'Whatsapp'],
          ]}
          onInput={(value) => setChannel(channels.find((each) => each === value) ?? 'email')}
        />
        <TextField
          name="to"
          label={channel === 'email' ? 'Email address' : 'Phone'}
          hint={channel === 'email' ? undefined : 'With its country code: +8801700000000'}
          type={channel === 'email' ? 'email' : 'text'}
        />
        {channel === 'email' ? <TextField name="subject" label="Subject" /> : null}
        <TextField name="text" label="Text" rows={6} />
        <p class="hint">The message is really sent, and takes credits like any other.</p>
      </Form>
    </Dialog>
  );
};
