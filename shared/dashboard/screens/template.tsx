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
  return (
    <Screen title="New template" back={{ href: href('/templates'), label: 'Templates' }}>
      <TemplateEditor
        initial={{ name: '', channel: 'email', subject: '', html: '', text: '' }}
        onSaved={({ id }) => {
          toast('The template was created');
          go(href(`/templates/${id}`));
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
  const loaded = useLoad(async () => {
    // Without values a preview has the template's own words.
    const [template, versions, words] = await Promise.all([
      api.call('GET /templates/{id}', { path }),
      api.call('GET /templates/{id}/versions', { path }),
      api.call('POST /templates/{id}/preview', { path, body: { ...(version && { version }) } }),
    ]);
    return { template: template.data, versions: versions.data, words: words.data };
  }, [account.id, path.id, version]);
  const { value } = loaded;
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
          <TemplateEditor
            key={`${version} ${value.template.updatedAt}`}
            id={path.id}
            isReadOnly={!isEditable}
            initial={{
              name: value.template.name,
              channel: value.template.channel,
              subject: value.words.subject ?? '',
              html: value.words.html ?? '',
              text: value.words.text ?? '',
            }}
            onSaved={() => {
              toast('The template was saved');
              if (version === undefined) loaded.reload();
              else setVersion(undefined);
            }}
          />
          <Versions versions={value.versions} shown={version} onShow={setVersion} />
        </>
      ) : null}
      {value && isDeleting ? (
        <Confirm
          title={`Delete “${value.template.name}”?`}
          action="Delete template"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await api.call('DELETE /templates/{id}', { path });
            toast(`“${value.template.name}” was deleted`);
            go(href('/templates'));
          }}
        >
          <p>Sends that use it are refused from now on.</p>
        </Confirm>
      ) : null}
    </Screen>
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
    {shown === undefined ? null : (
      <p class="hint">The editor has version {shown}. Save it to make it the current one.</p>
    )}
  </section>
);
