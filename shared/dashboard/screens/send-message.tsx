import { useState } from 'preact/hooks';
import type { Operations, Template } from '../../client/messaging.ts';
import { messagingApi, uploadMs } from '../apis.ts';
import { Dialog } from '../parts/dialog.tsx';
import { base64Of, filesIn } from '../parts/files.ts';
import { FileField, Form, SelectField, TextField } from '../parts/form.tsx';
import { FieldError, someTextIn, textIn } from '../parts/form-values.ts';
import { type Loaded, useLoad } from '../parts/load.ts';
import { useKeys } from '../parts/once.ts';
import { useHref } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { Loading, Trouble } from '../parts/trouble.tsx';
import { instantIn } from '../parts/when.ts';
import { go } from '../place.ts';
import { useAccount } from '../session.ts';

type Body = Operations['POST /messages']['request']['body'];
const channels = ['email', 'sms', 'whatsapp'] as const;

/** What one request can carry; larger files are uploaded first, which needs the API. */
const mostFileBytes = 4_000_000;

const attachmentsIn = async (values: FormData): Promise<Pick<Body, 'attachments'>> => {
  const files = filesIn(values, 'attachments');
  if (files.reduce((sum, { size }) => sum + size, 0) > mostFileBytes)
    throw new FieldError('attachments', 'must be smaller than 4 MB together; upload larger files with the API');
  const attachments = await Promise.all(
    files.map(async (file) => ({
      filename: file.name,
      content: await base64Of(file),
      ...(file.type && { contentType: file.type }),
    })),
  );
  return attachments.length > 0 ? { attachments } : {};
};

/** A template, and the names in its text that take a value: what it declares may be less. */
interface Chosen extends Pick<Template, 'id'> {
  readonly placeholders: readonly string[] | undefined;
}

const variablesIn = (values: FormData, { placeholders }: Chosen): Record<string, string> => {
  if (!placeholders) throw new FieldError('templateId', 'is not read yet');
  return Object.fromEntries(placeholders.map((name) => [name, textIn(values, `variables.${name}`)]));
};

const bodyIn = async (values: FormData, channel: Body['channel'], template: Chosen | undefined): Promise<Body> => {
  const [subject, sendAt] = [someTextIn(values, 'subject'), instantIn(textIn(values, 'sendAt'))];
  return {
    channel,
    to: textIn(values, 'to'),
    ...(template
      ? { templateId: template.id, variables: variablesIn(values, template) }
      : { text: textIn(values, 'text'), ...(subject && { subject }) }),
    ...(sendAt && { sendAt }),
    ...(await attachmentsIn(values)),
  };
};

/** Sends one message, now or later, and opens it. */
export const SendDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const account = useAccount();
  const href = useHref();
  const api = messagingApi(account.id);
  const keyOf = useKeys();
  const [channel, setChannel] = useState<Body['channel']>('email');
  const [templateId, setTemplateId] = useState('');
  const [words, setWords] = useState<Words>({ subject: '', text: '' });
  const templates = useLoad(async () => (await api.call('GET /templates')).data, [account.id]);
  const usable = (templates.value ?? []).filter((each) => each.channel === channel && each.isActive);
  const template = usable.find(({ id }) => id === templateId);
  const placeholders = useLoad(async () => {
    if (!template) return [];
    const { data } = await api.call('POST /templates/{id}/preview', { path: { id: template.id }, body: {} });
    return data.missingVariables;
  }, [template?.id]);
  return (
    <Dialog title="Send a message" onClose={onClose}>
      <Form
        submit="Send"
        onCancel={onClose}
        onSubmit={async (values) => {
          const body = await bodyIn(values, channel, template && { ...template, placeholders: placeholders.value });
          const options = { idempotencyKey: keyOf(body), timeoutMs: uploadMs(body) };
          const { data } = await api.call('POST /messages', { body, ...options });
          toast('The message was accepted');
          return () => {
            onClose();
            go(href(`/messages/${data.id}`));
          };
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
        {templates.problem ? <Trouble problem={templates.problem} retry={templates.reload} /> : null}
        {usable.length > 0 ? (
          <SelectField
            name="templateId"
            label="Template"
            value={template?.id ?? ''}
            choices={[['', 'None'], ...usable.map(({ id, name, locale }) => [id, `${name} (${locale})`] as const)]}
            onInput={setTemplateId}
          />
        ) : null}
        {template ? (
          <VariableFields placeholders={placeholders} />
        ) : (
          <ContentFields channel={channel} words={words} setWords={setWords} />
        )}
        <TextField
          name="sendAt"
          label="Send at"
          type="datetime-local"
          isOptional
          hint="In your time zone, up to 30 days ahead. Empty: now."
        />
        {channel === 'email' ? <FileField name="attachments" label="Attachments" isOptional /> : null}
        <p class="hint">This sends a real message and uses credits.</p>
      </Form>
    </Dialog>
  );
};

/** What was typed, which a person who looks at a template or another channel finds again. */
interface Words {
  readonly subject: string;
  readonly text: string;
}

interface ContentProps extends Pick<Body, 'channel'> {
  readonly words: Words;
  readonly setWords: (words: Words) => void;
}

const ContentFields = ({ channel, words, setWords }: ContentProps) => (
  <>
    {channel === 'email' ? (
      <TextField
        name="subject"
        label="Subject"
        value={words.subject}
        onInput={(subject) => setWords({ ...words, subject })}
      />
    ) : null}
    <TextField name="text" label="Text" rows={6} value={words.text} onInput={(text) => setWords({ ...words, text })} />
  </>
);

const VariableFields = ({ placeholders }: { readonly placeholders: Loaded<readonly string[]> }) => {
  const { value, problem, reload } = placeholders;
  if (!value) return problem ? <Trouble problem={problem} retry={reload} /> : <Loading />;
  return (
    <>
      {value.map((name) => (
        <TextField key={name} name={`variables.${name}`} label={name} />
      ))}
    </>
  );
};
