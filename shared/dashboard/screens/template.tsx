import { useState } from 'preact/hooks';
import type { Template, TemplateVersion } from '../../client/messaging.ts';
import { messagingApi } from '../apis.ts';
import { Confirm } from '../parts/dialog.tsx';
import { useLoad } from '../parts/load.ts';
import { Screen, type ScreenProps, useHref } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { Loading, Trouble } from '../parts/trouble.tsx';
import { Id, sentence, Time } from '../parts/words.tsx';
import { go } from '../place.ts';
import { mayBuild, useAccount } from '../session.ts';
import { TemplateEditor } from './template-editor.tsx';

/** Makes a template. */
export const NewTemplate = () => {
  const href = useHref();
  const [made, setMade] = useState<string>();
  return (
    <Screen title="New template" back={{ href: href('/templates'), label: 'Templates' }}>
      <TemplateEditor
        {...(made && { id: made })}
        initial={{ name: '', channel: 'email', subject: '', html: '', text: '' }}
        onSaved={({ id }, isAll) => {
          toast(made ? 'The template was saved' : 'The template was created');
          // Its own screen does not have what was typed since.
          return () => (isAll ? go(href(`/templates/${id}`)) : setMade(id));
        }}
      />
    </Screen>
  );
};

/** One template: its editor and its versions. */
export const OneTemplate = ({ params }: ScreenProps) => {
  const account = useAccount();
  const href = useHref();
  const api = messagingApi(account.id);
  const path = { id: params['id'] ?? '' };
  const [version, setVersion] = useState<number>();
  const [isDeleting, setDeleting] = useState(false);
  const [isTyped, setTyped] = useState(false);
  const [asked, setAsked] = useState<{ readonly version: number | undefined }>();
  const loaded = useLoad(async () => {
    const [template, versions] = await Promise.all([
      api.call('GET /templates/{id}', { path }),
      api.call('GET /templates/{id}/versions', { path }),
    ]);
    return { template: template.data, versions: versions.data };
  }, [account.id, path.id]);
  const { value } = loaded;
  const show = (wanted: number | undefined) => {
    setVersion(wanted);
    setTyped(false);
  };
  const isEditable = mayBuild(account) && value?.template.channel !== 'whatsapp';
  return (
    <Screen
      title={value?.template.name ?? 'Template'}
      back={{ href: href('/templates'), label: 'Templates' }}
      intro={value ? <Intro template={value.template} /> : null}
      actions={
        value && isEditable ? (
          <button type="button" onClick={() => setDeleting(true)}>
            Delete
          </button>
        ) : null
      }
    >
      {loaded.problem ? <Trouble problem={loaded.problem} retry={loaded.reload} /> : null}
      {!value && loaded.isLoading ? <Loading /> : null}
      {value ? (
        <>
          <VersionEditor
            key={version ?? 'current'}
            template={value.template}
            version={version}
            isReadOnly={!isEditable}
            onTyped={() => setTyped(true)}
            onSaved={(isAll) => {
              toast('The template was saved');
              loaded.reload();
              return () => {
                if (isAll) show(undefined);
              };
            }}
          />
          <Versions
            versions={value.versions}
            shown={version}
            onShow={(wanted) => (isTyped ? setAsked({ version: wanted }) : show(wanted))}
          />
        </>
      ) : null}
      {asked ? (
        <Confirm
          title="Discard your changes?"
          action="Discard changes"
          onClose={() => setAsked(undefined)}
          onConfirm={async () => () => show(asked.version)}
        >
          <p>Another version takes the place of what you typed and did not save.</p>
        </Confirm>
      ) : null}
      {value && isDeleting ? (
        <Confirm
          title={`Delete “${value.template.name}”?`}
          action="Delete template"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await api.call('DELETE /templates/{id}', { path });
            toast(`“${value.template.name}” was deleted`);
            return () => go(href('/templates'));
          }}
        >
          <p>Sends that use it are refused from now on.</p>
        </Confirm>
      ) : null}
    </Screen>
  );
};

interface EditorProps {
  readonly template: Template;
  readonly version: number | undefined;
  readonly isReadOnly: boolean;
  readonly onTyped: () => void;
  /** `isAll`: nothing was typed while it was saved. */
  readonly onSaved: (isAll: boolean) => () => void;
}

/** The editor with the words of one version, without one, of the current. It stays as it is when these are saved. */
const VersionEditor = ({ template: { id, name, channel }, version, onSaved, ...rest }: EditorProps) => {
  const api = messagingApi(useAccount().id);
  // Without values a preview has the template's own words.
  const body = { ...(version && { version }) };
  const { value, problem, reload } = useLoad(
    () => api.call('POST /templates/{id}/preview', { path: { id }, body }).then(({ data }) => data),
    [id, version],
  );
  // What is typed stays when it cannot be read again.
  if (!value) return problem ? <Trouble problem={problem} retry={reload} /> : <Loading />;
  const { subject, html, text } = value;
  return (
    <>
      {version === undefined ? null : (
        <p class="notice">The editor has version {version}. Save it to make it the current one.</p>
      )}
      <TemplateEditor
        id={id}
        initial={{ name, channel, subject: subject ?? '', html: html ?? '', text: text ?? '' }}
        isOther={version !== undefined}
        onSaved={(_, isAll) => onSaved(isAll)}
        {...rest}
      />
    </>
  );
};

const Intro = ({ template }: { readonly template: Template }) => (
  <>
    {sentence(template.channel)} · <Id value={template.id} what="template id" />
  </>
);

interface VersionsProps {
  readonly versions: readonly TemplateVersion[];
  readonly shown: number | undefined;
  readonly onShow: (version: number | undefined) => void;
}

const Versions = ({ versions, shown, onShow }: VersionsProps) => (
  <section class="card">
    <h2>Versions</h2>
    <ul class="lines">
      {versions.map(({ version, createdAt, subject, name }, i) => {
        const isShown = shown === undefined ? i === 0 : shown === version;
        return (
          <li key={version}>
            <strong>Version {version}</strong>
            <span class="quiet grow">{subject ?? name}</span>
            <Time at={createdAt} />
            <button type="button" aria-pressed={isShown} onClick={() => onShow(i === 0 ? undefined : version)}>
              {isShown ? 'Shown' : 'Show'}
            </button>
          </li>
        );
      })}
    </ul>
  </section>
);
