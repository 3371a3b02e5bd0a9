import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../parts/dialog.tsx';
import type { Query } from '../parts/filters.tsx';
import { type Column, List, type Page } from '../parts/list.tsx';
import { Screen } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { Status, Time } from '../parts/words.tsx';

interface Key {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly createdAt: string;
  readonly revokedAt?: string | null;
}

interface Props<K extends Key> {
  readonly title: string;
  readonly intro: string;
  /** What they are: "key". */
  readonly what: string;
  readonly read: (query: Query) => Promise<Page<K>>;
  /** Beside the name, the prefix, the time and the status. */
  readonly columns?: readonly Column<K>[];
  /** Revoked keys stay in the list. */
  readonly hasStatus?: boolean;
  readonly mayChange: boolean;
  readonly revoke: (id: string) => Promise<unknown>;
  readonly empty: ComponentChildren;
  /** The dialog that creates one. */
  readonly creating: (dialog: { readonly onClose: () => void; readonly onCreated: () => void }) => ComponentChildren;
}

/** Keys that programs call with: they are created, shown once, and revoked. */
export const KeyScreen = <K extends Key>(props: Props<K>) => {
  const { title, intro, what, mayChange, creating } = props;
  const [open, setOpen] = useState<'create' | K>();
  const [version, setVersion] = useState(0);
  const onClose = () => setOpen(undefined);
  const refresh = () => setVersion((before) => before + 1);
  return (
    <Screen
      title={title}
      intro={intro}
      actions={
        mayChange ? (
          <button type="button" class="primary" onClick={() => setOpen('create')}>
            Create {what}
          </button>
        ) : null
      }
    >
      <List
        caption={title}
        read={props.read}
        columns={columnsOf(props, setOpen)}
        keyOf={({ id }) => id}
        version={version}
        empty={props.empty}
      />
      {open === 'create' ? creating({ onClose, onCreated: refresh }) : null}
      {typeof open === 'object' ? (
        <Confirm
          title={`Revoke “${open.name}”?`}
          action={`Revoke ${what}`}
          onClose={onClose}
          onConfirm={async () => {
            await props.revoke(open.id);
            toast(`“${open.name}” was revoked`);
            refresh();
          }}
        >
          <p>
            Requests with <code>{open.prefix}…</code> are refused at once. This cannot be undone.
          </p>
        </Confirm>
      ) : null}
    </Screen>
  );
};

const columnsOf = <K extends Key>(
  { what, columns = [], hasStatus = false, mayChange }: Props<K>,
  onRevoke: (key: K) => void,
): readonly Column<K>[] => [
  { label: 'Name', cell: ({ name }) => <strong>{name}</strong> },
  { label: what === 'token' ? 'Token' : 'Key', cell: ({ prefix }) => <code>{prefix}…</code> },
  ...columns,
  { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ...(hasStatus ? [statusColumn] : []),
  {
    label: 'Actions',
    isActions: true,
    cell: (key) =>
      key.revokedAt || !mayChange ? null : (
        <button type="button" onClick={() => onRevoke(key)}>
          Revoke<span class="hidden"> {key.name}</span>
        </button>
      ),
  },
];

const statusColumn: Column<Key> = {
  label: 'Status',
  cell: ({ revokedAt }) => (revokedAt ? <Status of="revoked" kind="plain" /> : <Status of="active" />),
};
