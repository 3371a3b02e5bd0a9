import { useState } from 'preact/hooks';
import type { Member } from '../../client/admin.ts';
import { adminApi, isNotFound } from '../apis.ts';
import { Confirm, Dialog } from '../parts/dialog.tsx';
import { CheckFields, Form, TextField } from '../parts/form.tsx';
import { chosenIn, textIn } from '../parts/form-values.ts';
import { type Column, List, pageOf } from '../parts/list.tsx';
import { Screen } from '../parts/screen.tsx';
import { useStore } from '../parts/store.ts';
import { toast } from '../parts/toast.tsx';
import { Empty } from '../parts/trouble.tsx';
import { sentence, Time } from '../parts/words.tsx';
import { go } from '../place.ts';
import { mayOwn, person, readPersonAgain, useAccount } from '../session.ts';

const roleNames = ['viewer', 'developer', 'owner'] as const;
const roles = [
  ['viewer', 'Viewer', 'Reads everything, changes nothing'],
  ['developer', 'Developer', 'Changes keys, webhooks, templates, messages and contacts; reads the rest'],
  ['owner', 'Owner', 'Does everything, members, settings and refunds included'],
] as const;

type Choice = 'change' | 'remove' | 'leave';

/** Who may use the account, and what they may do. */
export const Members = () => {
  const account = useAccount();
  const own = useStore(person)?.email;
  const [open, setOpen] = useState<'invite' | { readonly kind: Choice; readonly member: Member }>();
  const [version, setVersion] = useState(0);
  const close = () => setOpen(undefined);
  const refresh = () => {
    setVersion((before) => before + 1);
    // It may have been their own role.
    readPersonAgain();
  };
  const remove = ({ id: memberId }: Member) =>
    adminApi.call('DELETE /accounts/{id}/members/{memberId}', { path: { id: account.id, memberId } });
  const columns: readonly Column<Member>[] = [
    {
      label: 'Email',
      cell: ({ email }) => (
        <>
          <strong>{email}</strong> {email === own ? <span class="tag">You</span> : null}
        </>
      ),
    },
    { label: 'Role', cell: ({ role }) => <span class="nowrap">{sentence(role)}</span> },
    { label: 'Invited by', cell: ({ invitedBy }) => invitedBy ?? '' },
    { label: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      label: 'Actions',
      isActions: true,
      cell: (member) => (
        <Actions member={member} isOwn={member.email === own} onChoose={(kind) => setOpen({ kind, member })} />
      ),
    },
  ];
  return (
    <Screen
      title="Members"
      intro="Who may use this account, and what they may do in it."
      actions={
        mayOwn(account) ? (
          <button type="button" class="primary" onClick={() => setOpen('invite')}>
            Invite a member
          </button>
        ) : null
      }
    >
      <List
        caption="Members"
        read={async (query) =>
          pageOf(await adminApi.call('GET /accounts/{id}/members', { path: { id: account.id }, query }))
        }
        columns={columns}
        keyOf={({ id }) => id}
        version={version}
        empty={<Empty title="No members yet">Invite the people who work with this account.</Empty>}
      />
      {open === 'invite' ? <InviteDialog onClose={close} onDone={refresh} /> : null}
      {typeof open === 'object' && open.kind === 'change' ? (
        <RoleDialog member={open.member} onClose={close} onDone={refresh} />
      ) : null}
      {typeof open === 'object' && open.kind === 'remove' ? (
        <Confirm
          title={`Remove ${open.member.email}?`}
          action="Remove member"
          onClose={close}
          onConfirm={async () => {
            await remove(open.member);
            toast(`${open.member.email} was removed`);
            refresh();
          }}
        >
          <p>They can no longer open this account. Their sessions in it end at once.</p>
        </Confirm>
      ) : null}
      {typeof open === 'object' && open.kind === 'leave' ? (
        <Confirm
          title={`Leave ${account.name}?`}
          action="Leave account"
          onClose={close}
          onConfirm={async () => {
            await remove(open.member).catch((thrown: unknown) => {
              // An earlier try has done it, whose answer was lost.
              if (!isNotFound(thrown)) throw thrown;
            });
            toast(`You have left ${account.name}`);
            return () => readPersonAgain().then(() => go('/dashboard'));
          }}
        >
          <p>
            {account.role === 'operator'
              ? 'As an operator of the platform, you can still open this account.'
              : 'You can no longer open this account, until an owner invites you again.'}
          </p>
        </Confirm>
      ) : null}
    </Screen>
  );
};

interface ActionsProps {
  readonly member: Member;
  readonly isOwn: boolean;
  readonly onChoose: (choice: Choice) => void;
}

/** Owners change and remove members. Every member may leave. */
const Actions = ({ member: { email }, isOwn, onChoose }: ActionsProps) => {
  const isOwner = mayOwn(useAccount());
  if (!isOwner && !isOwn) return null;
  return (
    <span class="actions">
      {isOwner ? (
        <button type="button" onClick={() => onChoose('change')}>
          Change role<span class="hidden"> of {email}</span>
        </button>
      ) : null}
      {isOwn ? (
        <button type="button" onClick={() => onChoose('leave')}>
          Leave
        </button>
      ) : (
        <button type="button" onClick={() => onChoose('remove')}>
          Remove<span class="hidden"> {email}</span>
        </button>
      )}
    </span>
  );
};

interface DialogProps {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const roleIn = (values: FormData) => chosenIn(values, 'role', roleNames)[0] ?? 'viewer';

const InviteDialog = ({ onClose, onDone }: DialogProps) => {
  const { id } = useAccount();
  return (
    <Dialog title="Invite a member" onClose={onClose}>
      <Form
        submit="Invite"
        onCancel={onClose}
        onSubmit={async (values) => {
          const body = { email: textIn(values, 'email'), role: roleIn(values) };
          await adminApi.call('POST /accounts/{id}/members', { path: { id }, body });
          toast(`${body.email} was invited`);
          onDone();
          return onClose;
        }}
      >
        <TextField
          name="email"
          label="Email address"
          type="email"
          hint="They receive an email, and sign in with this address."
        />
        <CheckFields name="role" label="Role" choices={roles} checked={['viewer']} isSingle />
      </Form>
    </Dialog>
  );
};

const RoleDialog = ({ member, onClose, onDone }: DialogProps & { readonly member: Member }) => {
  const { id } = useAccount();
  return (
    <Dialog title={`Role of ${member.email}`} onClose={onClose}>
      <Form
        submit="Change role"
        onCancel={onClose}
        onSubmit={async (values) => {
          const path = { id, memberId: member.id };
          await adminApi.call('PATCH /accounts/{id}/members/{memberId}', { path, body: { role: roleIn(values) } });
          toast('The role was changed');
          onDone();
          return onClose;
        }}
      >
        <CheckFields name="role" label="Role" choices={roles} checked={[member.role]} isSingle />
      </Form>
    </Dialog>
  );
};
