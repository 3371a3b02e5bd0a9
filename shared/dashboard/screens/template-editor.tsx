import { useRef, useState } from 'preact/hooks';
import type { Template } from '../../client/messaging.ts';
import { namesIn } from '../../messages/placeholders.ts';
import { segmentsOf } from '../../messages/segments.ts';
import { messagingApi, problemOf } from '../apis.ts';
import { type Draft, filledDraft } from '../parts/content.ts';
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

const placeholdersIn = ({ subject, html, text }: Draft): readonly string[] => namesIn([subject, html, text]);

/** What the server says of a placeholder's name, for the field that the person typed it in: the list of names has none. */
const faultOfName = (thrown: unknown, words: Words, names: readonly string[]): FieldError | undefined => {
  const [, at, what] = /\bvariables\.(\d+): ([^;]*)/.exec(problemOf(thrown).message) ?? [];
  const name = names[Number(at)];
  if (name === undefined) return undefined;
  const fields = [
    ['subject', words.subject],
    ['htmlContent', words.html],
    ['textContent', words.text],
  ] as const;
  const [field = 'textContent'] = fields.find(([, text]) => namesIn([text]).includes(name)) ?? [];
  return new FieldError(field, `{{${name}}} ${what}`);
};

/** What the server keeps of these words, beside the names in them. */
const contentOf = ({ channel, name, subject, html, text }: Words) => ({
  name,
  textContent: text || null,
  ...(channel === 'email' && { subject, htmlContent: html || null }),
});

/** The fields that differ from what was saved: the others may have been changed by somebody else meanwhile. */
const changedSince = (saved: Words | undefined, words: Words) => {
  const before = new Map<string, unknown>(saved && Object.entries(contentOf(saved)));
  const isChanged = (field: string, value: unknown) => JSON.stringify(value) !== JSON.stringify(before.get(field));
  return Object.fromEntries(Object.entries(contentOf(words)).filter(([field, value]) => isChanged(field, value)));
};

/** The names that the server has, with those that are new in the words and without those that are gone from them. */
const namesAfter = (kept: readonly string[], before: readonly string[], now: readonly string[]): string[] => [
  ...kept.filter((name) => now.includes(name) || !before.includes(name)),
  ...now.filter((name) => !before.includes(name) && !kept.includes(name)),
];

const wordsOf = (
  { name, channel }: Template,
  { subject, html, text }: { readonly [Field in 'subject' | 'html' | 'text']: string | null },
): Words => ({ name, channel, subject: subject ?? '', html: html ?? '', text: text ?? '' });

/** What a template says now, in place of these words but where something was typed since. */
const merged = (server: Words, words: Words, typed: Words): Words => {
  const since = Object.entries(typed).filter(([field, text]) => text !== words[field as keyof Words]);
  return { ...server, ...Object.fromEntries(since) };
};

/** The fields of a template beside what a message with it says, as they are typed. */
export const TemplateEditor = ({ id, initial, isOther = false, isReadOnly = false, onTyped, onSaved }: Props) => {
  const api = messagingApi(useAccount().id);
  const keyOf = useKeys();
  const [words, setWords] = useState(initial);
  const latest = useRef(words);
  const saved = useRef(isOther || !id ? undefined : initial);
  latest.current = words;
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());
  const names = placeholdersIn(words);
  // An empty field is no value.
  const given = new Map([...values].filter(([, value]) => value !== ''));
  const change = (field: keyof Words) => (text: string) => {
    setWords((before) => ({ ...before, [field]: text }));
    onTyped?.();
  };
  const isMail = words.channel === 'email';

  const explained = (sent: readonly string[]) => (thrown: unknown) => {
    throw faultOfName(thrown, words, sent) ?? thrown;
  };
  /** The list of names has no field of its own, so what it gets is what this person changed of it. */
  const namesToSave = async (path: { readonly id: string }): Promise<readonly string[] | undefined> => {
    const before = saved.current && placeholdersIn(saved.current);
    if (!before || before.join() === names.join()) return before ? undefined : names;
    return namesAfter((await api.call('GET /templates/{id}', { path })).data.variables, before, names);
  };
  const update = async (path: { readonly id: string }): Promise<() => void> => {
    const variables = await namesToSave(path);
    const body = { ...changedSince(saved.current, words), ...(variables && { variables: [...variables] }) };
    const { data } = await api.call('PATCH /templates/{id}', { path, body }).catch(explained(variables ?? names));
    // Without it, what was saved is taken for all that the template says.
    const shown = await api.call('POST /templates/{id}/preview', { path, body: {} }).catch(() => undefined);
    const server = shown ? wordsOf(data, shown.data) : words;
    saved.current = server;
    const next = onSaved(data, latest.current === words);
    setWords(merged(server, words, latest.current));
    return next;
  };
  const create = async (): Promise<() => void> => {
    const channel: 'email' | 'sms' = isMail ? 'email' : 'sms';
    const { textContent, htmlContent, ...content } = contentOf(words);
    const body = {
      ...content,
      channel,
      variables: [...names],
      ...(textContent && { textContent }),
      ...(htmlContent && { htmlContent }),
    };
    const { data } = await api.call('POST /templates', { body, idempotencyKey: keyOf(body) }).catch(explained(names));
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
          <Form submit={id ? 'Save' : 'Create template'} onSubmit={() => (id ? update({ id }) : create())}>
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
                  value={values.get(name) ?? ''}
                  onInput={(text) => setValues((before) => new Map(before).set(name, text))}
                />
              ))}
            </div>
          ) : null}
          <Missing names={names.filter((name) => !given.has(name))} />
          <Preview words={{ ...words, ...filledDraft(words, Object.fromEntries(given)) }} />
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
