import { useRef, useState } from 'preact/hooks';
import type { Template } from '../../client/messaging.ts';
import { segmentsOf } from '../../messages/segments.ts';
import { messagingApi, problemOf } from '../apis.ts';
import { type Draft, filledIn, placeholdersIn } from '../parts/content.ts';
import { Form, SelectField, TextField } from '../parts/form.tsx';
import { FieldError } from '../parts/form-values.ts';
import { MailFrame } from '../parts/mail-frame.tsx';
import { useKeys } from '../parts/once.ts';
import { useAccount } from '../session.ts';

interface Words extends Draft {
  readonly name: string;
  readonly channel: Template['channel'];
}

interface Props {
  /** Of a template that exists. */
  readonly id?: string;
  readonly initial: Words;
  /** They are not those of the current version: all of them are saved, and otherwise only what was changed. */
  readonly isOther?: boolean;
  readonly isReadOnly?: boolean;
  /** Something was typed that is not saved. */
  readonly onTyped?: () => void;
  /** `isAll`: nothing was typed while it was saved. Returns what the screen does next, if the form is still on it. */
  readonly onSaved: (template: Template, isAll: boolean) => () => void;
}

/** What the server says of a placeholder's name, for the field that the person typed it in: the list of names has none. */
const faultOfName = (thrown: unknown, words: Words, names: readonly string[]): FieldError | undefined => {
  const [, at, what] = /\bvariables\.(\d+): ([^;]*)/.exec(problemOf(thrown).message) ?? [];
  const name = names[Number(at)];
  if (name === undefined) return undefined;
  const none = { subject: '', html: '', text: '' };
  const fields = [
    ['subject', { ...none, subject: words.subject }],
    ['htmlContent', { ...none, html: words.html }],
    ['textContent', { ...none, text: words.text }],
  ] as const;
  const [field = 'textContent'] = fields.find(([, draft]) => placeholdersIn(draft).includes(name)) ?? [];
  return new FieldError(field, `{{${name}}} ${what}`);
};

/** What the server keeps of these words. */
const contentOf = ({ channel, name, subject, html, text }: Words) => ({
  name,
  variables: [...placeholdersIn({ subject, html, text })],
  textContent: text || null,
  ...(channel === 'email' && { subject, htmlContent: html || null }),
});

/** The fields that differ from what was saved: the others may have been changed by somebody else meanwhile. */
const changedSince = (saved: Words | undefined, words: Words) => {
  const before = new Map<string, unknown>(saved && Object.entries(contentOf(saved)));
  const isChanged = (field: string, value: unknown) => JSON.stringify(value) !== JSON.stringify(before.get(field));
  return Object.fromEntries(Object.entries(contentOf(words)).filter(([field, value]) => isChanged(field, value)));
};

/** The fields of a template beside what a message with it says, as they are typed. */
export const TemplateEditor = ({ id, initial, isOther = false, isReadOnly = false, onTyped, onSaved }: Props) => {
  const api = messagingApi(useAccount().id);
  const keyOf = useKeys();
  const [words, setWords] = useState(initial);
  const latest = useRef(words);
  const saved = useRef(isOther || !id ? undefined : initial);
  latest.current = words;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const names = placeholdersIn(words);
  const change = (field: keyof Words) => (text: string) => {
    setWords((before) => ({ ...before, [field]: text }));
    onTyped?.();
  };
  const isMail = words.channel === 'email';

  const save = (): Promise<() => void> =>
    write().catch((thrown: unknown) => {
      throw faultOfName(thrown, words, names) ?? thrown;
    });
  const write = async (): Promise<() => void> => {
    if (id) {
      const body = changedSince(saved.current, words);
      const { data } = await api.call('PATCH /templates/{id}', { path: { id }, body });
      saved.current = words;
      return onSaved(data, latest.current === words);
    }
    const channel = isMail ? 'email' : 'sms';
    const { textContent, htmlContent, ...content } = contentOf(words);
    const body = {
      ...content,
      channel,
      ...(textContent && { textContent }),
      ...(htmlContent && { htmlContent }),
    } as const;
    const { data } = await api.call('POST /templates', { body, idempotencyKey: keyOf(body) });
    return onSaved(data, latest.current === words);
  };

  const fields = (
    <>
      <TextField name="name" label="Name" value={words.name} onInput={change('name')} />
      {id ? null : (
        <SelectField
          name="channel"
          label="Channel"
          value={words.channel}
          choices={[
            ['email', 'Email'],
            ['sms', 'Sms'],
          ]}
          onInput={change('channel')}
        />
      )}
      {isMail ? (
        <>
          <TextField name="subject" label="Subject" value={words.subject} onInput={change('subject')} />
          <TextField
            name="htmlContent"
            label="HTML"
            rows={12}
            isCode
            isOptional
            value={words.html}
            onInput={change('html')}
          />
        </>
      ) : null}
      <TextField
        name="textContent"
        label="Text"
        rows={isMail ? 5 : 8}
        isOptional={isMail}
        hint={
          <>
            A placeholder is a name in braces: <code>{'{{name}}'}</code>
          </>
        }
        value={words.text}
        onInput={change('text')}
      />
    </>
  );
  return (
    <div class="halves">
      <section class="card">
        <h2>Content</h2>
        {isReadOnly ? (
          <fieldset class="stack" disabled>
            {fields}
          </fieldset>
        ) : (
          <Form submit={id ? 'Save' : 'Create template'} onSubmit={save}>
            {fields}
          </Form>
        )}
      </section>
      <section class="card">
        <h2>Preview</h2>
        <div class="stack">
          {names.length > 0 ? (
            <div class="row">
              {names.map((name) => (
                <TextField
                  key={name}
                  name={`value-${name}`}
                  label={name}
                  value={values[name] ?? ''}
                  onInput={(text) => setValues((before) => ({ ...before, [name]: text }))}
                />
              ))}
            </div>
          ) : null}
          <Missing names={names.filter((name) => !values[name])} />
          <Preview words={{ ...words, ...filledIn(words, values) }} />
        </div>
      </section>
    </div>
  );
};

const Missing = ({ names }: { readonly names: readonly string[] }) => (
  <div role="status">
    {names.length > 0 ? (
      <p class="notice waiting">
        <span>
          Without a value, and left as written:{' '}
          {names.map((name) => (
            <span key={name} class="tag">
              {name}
            </span>
          ))}
        </span>
      </p>
    ) : null}
  </div>
);

const Preview = ({ words }: { readonly words: Words }) =>
  words.channel === 'email' ? <MailPreview words={words} /> : <TextPreview words={words} />;

const nothing = 'Nothing to show yet';
const countOf = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

const TextPreview = ({ words: { channel, text } }: { readonly words: Words }) => {
  const { segments, encoding } = segmentsOf(text);
  return (
    <>
      <p class="bubble">{text || nothing}</p>
      {channel === 'sms' ? (
        <p class="hint">
          {countOf(segments, 'segment')}, {encoding === 'gsm7' ? 'GSM-7' : 'Unicode'}: {countOf(segments, 'credit')}
        </p>
      ) : null}
    </>
  );
};

const MailPreview = ({ words: { subject, html, text } }: { readonly words: Words }) => (
  <>
    <p>
      <span class="quiet">Subject: </span>
      <strong>{subject}</strong>
    </p>
    {html ? <MailFrame html={html} /> : <p class="bubble">{text || nothing}</p>}
    {html && text ? (
      <details>
        <summary>Plain text</summary>
        <p class="bubble">{text}</p>
      </details>
    ) : null}
    {html ? <p class="hint">Images from the web are not loaded here.</p> : null}
  </>
);
