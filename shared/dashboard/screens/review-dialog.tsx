import { useState } from 'preact/hooks';
import type { Payment } from '../../client/admin.ts';
import { adminApi } from '../apis.ts';
import { amountText, minorIn, money } from '../parts/amount.ts';
import { Dialog } from '../parts/dialog.tsx';
import { CheckFields, Form, TextField } from '../parts/form.tsx';
import { chosenIn, FieldError, someTextIn } from '../parts/form-values.ts';
import { modeOf } from '../parts/mode.tsx';
import { useHref } from '../parts/screen.tsx';
import { toast } from '../parts/toast.tsx';
import { Facts, Id, Time } from '../parts/words.tsx';
import { mayOwn, useAccount } from '../session.ts';

const decisions = ['accept', 'refund', 'reject'] as const;
type Decision = (typeof decisions)[number];

const done: Readonly<Record<Decision, string>> = {
  accept: 'The payment was accepted',
  refund: 'The refund has begun',
  reject: 'The payment was rejected',
};

/** What goes back unless the person says otherwise: what the gateway reported, where that is in the payment's currency. */
const returnedBy = ({ amountMinor, currency, lastAnswer }: Payment): number => {
  const { reported } = lastAnswer ?? {};
  return ((reported?.currency ?? currency) === currency && reported?.amountMinor) || amountMinor;
};

interface Wanted {
  readonly decision: Decision;
  readonly amountMinor: number;
  readonly reason: string | undefined;
}

/** The amount that the gateway reported; undefined where it reported none. */
export const reportedBy = ({ lastAnswer, currency }: Payment): string | undefined => {
  const { amountMinor, currency: own = currency } = lastAnswer?.reported ?? {};
  return amountMinor === undefined ? undefined : money(amountMinor, own);
};

interface Props {
  readonly payment: Payment;
  readonly onClose: () => void;
}

/** Shows why a payment is held, and takes the decision, which names its amount once more. */
export const ReviewDialog = ({ payment, onClose }: Props) => {
  const account = useAccount();
  const [wanted, setWanted] = useState<Wanted>();
  const [isAsking, setAsking] = useState(true);
  const asked = money(payment.amountMinor, payment.currency);
  const returnedMinor = wanted?.amountMinor || returnedBy(payment);
  const mostMinor = Math.max(payment.amountMinor, returnedBy(payment));
  const returned = money(returnedMinor, payment.currency);
  const words: Readonly<Record<Decision, readonly [action: string, meaning: string]>> = {
    accept: [`Accept ${asked}`, 'The gateway has the right amount. The payment succeeds and its session is complete.'],
    refund: ['Refund', 'The amount below goes back to the payer, who can pay again until the session expires.'],
    reject: [
      'Reject',
      'No money has arrived. The payment fails, and the payer can pay again until the session expires.',
    ],
  };

  if (wanted && !isAsking) {
    const [action, meaning] =
      wanted.decision === 'refund'
        ? [`Refund ${returned}`, `${returned} goes back to the payer, who can pay again until the session expires.`]
        : words[wanted.decision];
    return (
      <Dialog key="confirm" title={`${action}?`} onClose={onClose}>
        <Form
          submit={action}
          isDangerous
          onCancel={() => setAsking(true)}
          onSubmit={async () => {
            const { decision, amountMinor, reason } = wanted;
            const body = { decision, ...(decision === 'refund' && { amountMinor }), ...(reason && { reason }) };
            await adminApi.call('POST /payments/{paymentId}/resolution', { path: { paymentId: payment.id }, body });
            toast(done[decision]);
            return onClose;
          }}
        >
          <WhichPayment payment={payment} />
          <p>{meaning} A payment is reviewed once; this cannot be undone.</p>
        </Form>
      </Dialog>
    );
  }
  return (
    <Dialog title={`Held payment of ${asked}`} onClose={onClose}>
      <HeldFacts payment={payment} />
      {mayOwn(account) ? (
        <Form
          submit="Continue"
          onCancel={onClose}
          onSubmit={async (values) => {
            const [decision] = chosenIn(values, 'decision', decisions);
            if (!decision) throw new FieldError('decision', 'choose one');
            const amountMinor = minorIn(someTextIn(values, 'amount') ?? amountText(returnedBy(payment))) ?? 0;
            if (decision === 'refund' && (amountMinor === 0 || amountMinor > mostMinor))
              throw new FieldError('amount', `must be between 0.01 and ${amountText(mostMinor)}`);
            return () => {
              setWanted({ decision, amountMinor, reason: someTextIn(values, 'reason') });
              setAsking(false);
            };
          }}
        >
          <p>Look the payment up with the gateway first.</p>
          <CheckFields
            name="decision"
            label="Decision"
            isSingle
            choices={decisions.map((each) => [each, ...words[each]] as const)}
            checked={wanted ? [wanted.decision] : []}
          />
          <TextField
            name="amount"
            label={`Amount of a refund in ${payment.currency}`}
            value={amountText(returnedMinor)}
            inputMode="decimal"
            isOptional
            hint={`What the gateway has of this payment. If empty, ${money(returnedBy(payment), payment.currency)}.`}
          />
          <TextField name="reason" label="Reason" value={wanted?.reason} isOptional hint="Kept with the decision." />
        </Form>
      ) : (
        <p class="quiet">An owner of the account can decide.</p>
      )}
    </Dialog>
  );
};

/** Which of several payments of the same amount it is. */
const WhichPayment = ({ payment: { id, transactionId } }: { readonly payment: Payment }) => (
  <p class="quiet">
    Payment <code>{id}</code>
    {transactionId ? (
      <>
        , transaction <code>{transactionId}</code>
      </>
    ) : null}
  </p>
);

const HeldFacts = ({ payment }: { readonly payment: Payment }) => {
  const { id, checkoutSessionId, livemode, lastAnswer } = payment;
  const href = useHref();
  const linkTo = (folder: string, id: string) => (
    <a key={folder} href={href(`/${folder}/${id}?mode=${modeOf(livemode)}`)}>
      {id}
    </a>
  );
  return (
    <Facts
      rows={[
        ['Asked for', money(payment.amountMinor, payment.currency)],
        ['Reported', reportedBy(payment)],
        ['Risk', lastAnswer?.reported?.isRisky ? 'The gateway marks it as risky' : null],
        ['Gateway', payment.gatewayCode],
        ['Answer', lastAnswer ? (lastAnswer.reason ?? lastAnswer.state) : null],
        ['At', lastAnswer ? <Time key="at" at={lastAnswer.at} isExact /> : null],
        [
          'Transaction',
          payment.transactionId ? <Id key="transaction" value={payment.transactionId} what="transaction id" /> : null,
        ],
        ['Payment', linkTo('payments', id)],
        ['Session', linkTo('checkout-sessions', checkoutSessionId)],
      ]}
    />
  );
};
