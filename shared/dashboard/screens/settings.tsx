import { adminApi } from '../apis.ts';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { OperatorsOnly } from '../parts/operators-only.tsx';
import { Screen } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { Loading, Trouble } from '../parts/trouble.tsx';
import { showSaved } from '../parts/unsaved.ts';
import { Id } from '../parts/words.tsx';
import { mayBuild, mayOwn, readPersonAgain, useAccount } from '../session.ts';
import { Branding } from './branding.tsx';
import { CallbackUrls } from './callback-urls.tsx';
import type { CardProps, Changes } from './setting-card.ts';
import { type Group, groups } from './setting-groups.tsx';

/** The settings of the account, each group saved on its own. A person who may not change them can read them. */
export const Settings = () => {
  const account = useAccount();
  const path = { id: account.id };
  const loaded = useLoad(() => adminApi.call('GET /accounts/{id}', { path }).then(({ data }) => data), [account.id]);
  const isOwner = mayOwn(account);
  const save = async (body: Changes): Promise<void> => {
    loaded.replace((await adminApi.call('PATCH /accounts/{id}', { path, body })).data);
    toast('The settings are saved');
    // Each screen shows the name of the account, and whether it is frozen.
    readPersonAgain();
  };
  return (
    <Screen title="Settings" intro={<Id value={account.id} what="account id" />}>
      {loaded.problem ? <Trouble problem={loaded.problem} retry={loaded.reload} /> : null}
      {!loaded.value && loaded.isLoading ? <Loading /> : null}
      {loaded.value && !isOwner ? <p class="notice">Owners of the account can change these settings.</p> : null}
      {loaded.value ? (
        <div class="stack">
          <Groups account={loaded.value} isOpen={isOwner} save={save} />
          <Branding account={loaded.value} isOpen={isOwner} save={save} />
          {mayBuild(account) ? <CallbackUrls /> : null}
        </div>
      ) : null}
    </Screen>
  );
};

const Groups = (card: CardProps) => {
  const { role } = useAccount();
  return (
    <>
      {groups
        .filter(({ isOperators }) => !isOperators || role === 'operator')
        .map((group) => (
          <GroupCard key={group.title} group={group} {...card} />
        ))}
    </>
  );
};

const GroupCard = ({ group, account, isOpen, save }: CardProps & { readonly group: Group }) => (
  <section class="card" aria-label={group.title}>
    <h2>
      {group.title} {group.isOperators ? <OperatorsOnly /> : null}
    </h2>
    {isOpen ? (
      <Form
        submit="Save"
        onSubmit={async (values, form) => {
          await save(group.read(values, account));
          return () => showSaved(form);
        }}
      >
        <group.Fields account={account} />
      </Form>
    ) : (
      <fieldset class="stack" disabled>
        <group.Fields account={account} />
      </fieldset>
    )}
  </section>
);
