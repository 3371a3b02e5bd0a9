import { useState } from 'preact/hooks';
import type { AcceptanceMethod } from '../../client/admin.ts';
import { adminApi } from '../apis.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Table } from '../parts/list.tsx';
import { useLoad } from '../parts/load.ts';
import { problemOfChange } from '../parts/lost-changes.ts';
import { ModeSwitch, useMode } from '../parts/mode.tsx';
import { Screen } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { Empty, Loading, Trouble } from '../parts/trouble.tsx';
import { Status } from '../parts/words.tsx';
import { mayOwn, useAccount } from '../session.ts';
import { added, type Change, changed, reordered, without } from './method-changes.ts';
import { MethodForm } from './method-form.tsx';

type Open = 'add' | { readonly kind: 'edit' | 'remove'; readonly method: AcceptanceMethod };

/** How customers can pay: in their order on the page, each on or off. */
export const Methods = () => {
  const account = useAccount();
  const isLive = useMode() === 'live';
  const [dialog, setDialog] = useState<
    'add' | { readonly kind: 'edit' | 'remove'; readonly method: AcceptanceMethod }
  >();
  const path = { id: account.id };
  const loaded = useLoad(
    () => adminApi.call('GET /accounts/{id}/checkout-methods', { path }).then(({ data }) => data),
    [account.id],
  );
  const [saves] = useState({ last: Promise.resolve() });
  const shown = (loaded.value ?? []).filter(({ livemode }) => livemode === isLive);
  const isOwner = mayOwn(account);

  const write = async (change: Change): Promise<void> => {
    const { data: now } = await adminApi.call('GET /accounts/{id}/checkout-methods', { path });
    const body = [...change(now)];
    loaded.replace((await adminApi.call('PUT /accounts/{id}/checkout-methods', { path, body })).data);
  };
  /** One after the other: a change that reads before the last one is written would undo it. */
  const save = (change: Change): Promise<void> => {
    const saved = saves.last.then(() => write(change));
    saves.last = saved.catch(() => undefined);
    return saved;
  };
  const saveOrSay = (change: Change) =>
    save(change).catch((thrown: unknown) => toast(problemOfChange(thrown).message, 'bad'));
  return (
    <Screen
      title="Payment methods"
      intro="How your customers can pay, in their order on the page."
      actions={
        <>
          <ModeSwitch />
          {isOwner ? (
            <button type="button" class="primary" onClick={() => setDialog('add')}>
              Add method
            </button>
          ) : null}
        </>
      }
    >
      {loaded.problem ? <Trouble problem={loaded.problem} retry={loaded.reload} /> : null}
      {!loaded.value && loaded.isLoading ? <Loading /> : null}
      {loaded.value ? <MethodTable shown={shown} save={saveOrSay} onOpen={setDialog} /> : null}
      <MethodDialog open={dialog} save={save} onClose={() => setDialog(undefined)} />
    </Screen>
  );
};

interface TableProps {
  readonly shown: readonly AcceptanceMethod[];
  readonly save: (change: Change) => void;
  readonly onOpen: (open: Open) => void;
}

const MethodTable = ({ shown, save, onOpen }: TableProps) => {
  const isOwner = mayOwn(useAccount());
  const isLive = useMode() === 'live';
  if (shown.length === 0)
    return (
      <Empty title={`No ${isLive ? 'live' : 'test'} methods yet`}>
        {isLive
          ? 'Add SSLCommerz or bKash with the credentials that they gave you.'
          : 'Add a simulator to try the checkout.'}
      </Empty>
    );
  return (
    <Table
      caption="Payment methods"
      rows={shown}
      keyOf={({ acceptanceMethodId }) => acceptanceMethodId}
      columns={[
        { label: 'Label', cell: ({ displayLabel }) => <strong>{displayLabel}</strong> },
        {
          label: 'Label in Bangla',
          cell: ({ displayLabelBn }) => displayLabelBn && <span lang="bn">{displayLabelBn}</span>,
        },
        { label: 'Gateway', cell: ({ gatewayCode }) => <code>{gatewayCode}</code> },
        { label: 'Status', cell: ({ enabled }) => <Status of={enabled ? 'enabled' : 'off'} /> },
        { label: 'Credentials', cell: ({ hasCredentials }) => (hasCredentials ? 'Stored' : 'None needed') },
        {
          label: 'Actions',
          isActions: true,
          cell: (method) =>
            isOwner ? (
              <MethodButtons
                method={method}
                position={shown.indexOf(method)}
                count={shown.length}
                onMove={(by) => save(reordered(method, by))}
                onSwitch={() => save(changed(method, (now) => ({ ...now, enabled: !method.enabled })))}
                onOpen={(kind) => onOpen({ kind, method })}
              />
            ) : null,
        },
      ]}
    />
  );
};

interface DialogProps {
  readonly open: Open | undefined;
  readonly save: (change: Change) => Promise<void>;
  readonly onClose: () => void;
}

const MethodDialog = ({ open, save, onClose }: DialogProps) => {
  const isLive = useMode() === 'live';
  if (!open) return null;
  if (open === 'add') return <MethodForm isLive={isLive} onClose={onClose} onSave={(wish) => save(added(wish))} />;
  const { kind, method } = open;
  return kind === 'edit' ? (
    <MethodForm
      method={method}
      isLive={isLive}
      onClose={onClose}
      onSave={({ displayLabel, displayLabelBn, credentials }) =>
        save(
          changed(method, ({ displayLabelBn: _, ...now }) => ({
            ...now,
            displayLabel,
            ...(displayLabelBn && { displayLabelBn }),
            ...(credentials && { credentials }),
          })),
        )
      }
    />
  ) : (
    <Confirm
      title={`Remove “${method.displayLabel}”?`}
      action="Remove method"
      onClose={onClose}
      onConfirm={async () => {
        await save(without(method));
      }}
    >
      <p>
        It is no longer on the page. Payments under way are finished. Its credentials are kept for them, and for
        refunds.
      </p>
    </Confirm>
  );
};

interface ButtonsProps {
  readonly method: AcceptanceMethod;
  readonly position: number;
  readonly count: number;
  readonly onMove: (by: -1 | 1) => void;
  readonly onSwitch: () => void;
  readonly onOpen: (kind: 'edit' | 'remove') => void;
}

const MethodButtons = ({ method, position, count, onMove, onSwitch, onOpen }: ButtonsProps) => {
  const { displayLabel, enabled } = method;
  const move = (by: -1 | 1, isPossible: boolean) => (
    <button
      type="button"
      aria-label={`Move ${displayLabel} ${by < 0 ? 'up' : 'down'}`}
      aria-disabled={!isPossible}
      onClick={() => isPossible && onMove(by)}
    >
      {by < 0 ? '↑' : '↓'}
    </button>
  );
  return (
    <span class="actions">
      {move(-1, position > 0)}
      {move(1, position < count - 1)}
      <button type="button" onClick={onSwitch}>
        {enabled ? 'Turn off' : 'Turn on'}
        <span class="hidden"> {displayLabel}</span>
      </button>
      <button type="button" onClick={() => onOpen('edit')}>
        Edit<span class="hidden"> {displayLabel}</span>
      </button>
      <button type="button" onClick={() => onOpen('remove')}>
        Remove<span class="hidden"> {displayLabel}</span>
      </button>
    </span>
  );
};
