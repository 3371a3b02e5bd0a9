import { useState } from 'preact/hooks';
import type { LedgerEntry } from '../../client/admin.ts';
import { adminApi } from '../apis.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Form, TextField } from '../parts/form.tsx';
import { someTextIn } from '../parts/form-values.ts';
import { type Column, List, pageOf } from '../parts/list.tsx';
import { useLoad } from '../parts/load.ts';
import { useKeys } from '../parts/once.ts';
import { OperatorsOnly } from '../parts/operators-only.tsx';
import { Screen } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { Empty, Trouble } from '../parts/trouble.tsx';
import { grouped, Time } from '../parts/words.tsx';
import { useAccount } from '../session.ts';

const counters = [
  ['email', 'Email'],
  ['smsMasked', 'Masked sms'],
  ['smsNonMasked', 'Other sms'],
] as const;

const signed = (value: number): string => (value > 0 ? `+${grouped(value)}` : value === 0 ? '' : grouped(value));
const kinds: Readonly<Record<LedgerEntry['kind'], string>> = {
  sends: 'Sends of an hour',
  adjustment: 'Adjustment',
  set: 'Set',
};

const columns: readonly Column<LedgerEntry>[] = [
  { label: 'When', cell: ({ at }) => <Time at={at} /> },
  { label: 'What', cell: ({ kind }) => kinds[kind] },
  ...counters.map(([name, label]) => ({ label, cell: (entry: LedgerEntry) => signed(entry[name]), isNumber: true })),
  { label: 'Who', cell: ({ who }) => who ?? '' },
  { label: 'Reason', cell: ({ reason }) => reason ?? '' },
];

/** What is left to send with, and what has changed it. */
export const Credits = () => {
  const { id, role } = useAccount();
  const [isAdjusting, setAdjusting] = useState(false);
  const [version, setVersion] = useState(0);
  const credits = useLoad(
    () => adminApi.call('GET /accounts/{id}/credits', { path: { id } }).then(({ data }) => data),
    [id],
  );
  return (
    <Screen
      title="Credits"
      intro="One credit for each email and each segment of an sms. A masked sms comes from a name, such as BOOKSHOP; the others come from a number."
      actions={
        role === 'operator' ? (
          <>
            <OperatorsOnly />
            <button type="button" class="primary" onClick={() => setAdjusting(true)}>
              Adjust credits
            </button>
          </>
        ) : null
      }
    >
      {credits.problem ? <Trouble problem={credits.problem} retry={credits.reload} /> : null}
      <section class="tiles" aria-label="Credits left">
        {counters.map(([name, label]) => (
          <div key={name} class="card tile">
            <p class="quiet">{label}</p>
            <p class="value">{credits.value ? grouped(credits.value[name]) : '–'}</p>
          </div>
        ))}
      </section>
      <section>
        <h2 class="gap">Ledger</h2>
        <List
          caption="Ledger"
          read={async (page) =>
            pageOf(
              await adminApi.call('GET /accounts/{id}/credits/ledger', { path: { id }, query: { limit: 25, ...page } }),
            )
          }
          columns={columns}
          keyOf={(entry) => entry.id}
          version={version}
          empty={<Empty title="No change yet">Sends and adjustments are listed here.</Empty>}
        />
      </section>
      {isAdjusting ? (
        <AdjustDialog
          onClose={() => setAdjusting(false)}
          onAdjusted={() => {
            credits.reload();
            setVersion((before) => before + 1);
          }}
        />
      ) : null}
    </Screen>
  );
};

const AdjustDialog = ({ onClose, onAdjusted }: { readonly onClose: () => void; readonly onAdjusted: () => void }) => {
  const { id, name } = useAccount();
  const keyOf = useKeys();
  return (
    <Dialog title={`Adjust the credits of ${name}`} onClose={onClose}>
      <Form
        submit="Adjust credits"
        onCancel={onClose}
        onSubmit={async (values) => {
          const reason = someTextIn(values, 'reason');
          const changes = counters.flatMap(([counter]) => {
            const text = someTextIn(values, counter);
            return text === undefined ? [] : [[counter, Number(text)] as const];
          });
          const body = { ...Object.fromEntries(changes), ...(reason && { reason }) };
          const idempotencyKey = keyOf(body);
          await adminApi.call('POST /accounts/{id}/credits/adjustments', { path: { id }, body, idempotencyKey });
          toast('The credits were adjusted');
          onAdjusted();
          return onClose;
        }}
      >
        <p>Each number is added; one with a minus sign is subtracted. Empty fields change nothing.</p>
        <div class="row">
          {counters.map(([counter, label]) => (
            <TextField key={counter} name={counter} label={label} type="number" isOptional />
          ))}
        </div>
        <TextField name="reason" label="Reason" isOptional hint="In the ledger, for example Invoice 1042." />
      </Form>
    </Dialog>
  );
};
