import { useState } from 'preact/hooks';
import type { CheckoutPayment } from '../../client/checkout.ts';
import { adminApi } from '../apis.ts';
import { amountText, minorIn, money } from '../parts/amount.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Form, TextField } from '../parts/form.tsx';
import { FieldError, someTextIn } from '../parts/form-values.ts';
import { useKeys } from '../parts/once.ts';
import { toast } from '../parts/toast.tsx';

interface Props {
  readonly payment: CheckoutPayment;
  /** What can still be refunded. */
  readonly left: number;
  readonly onClose: () => void;
  readonly onRefunded: () => void;
}

interface Wanted {
  readonly amountMinor: number;
  readonly reason: string | undefined;
}

/** Asks how much, then names the amount before it goes back. */
export const RefundDialog = ({ payment, left, onClose, onRefunded }: Props) => {
  const [wanted, setWanted] = useState<Wanted>();
  const [isAsking, setAsking] = useState(true);
  const keyOf = useKeys();
  const { id, currency, displayLabel } = payment;
  if (!wanted || isAsking)
    return (
      <Dialog title="Refund payment" onClose={onClose}>
        <Form
          submit="Continue"
          onCancel={onClose}
          onSubmit={async (values) => {
            const amountMinor = minorIn(someTextIn(values, 'amount') ?? '');
            if (!amountMinor || amountMinor > left)
              throw new FieldError('amount', `must be between 0.01 and ${amountText(left)}`);
            return () => {
              setWanted({ amountMinor, reason: someTextIn(values, 'reason') });
              setAsking(false);
            };
          }}
        >
          <TextField
            name="amount"
            label={`Amount in ${currency}`}
            value={amountText(wanted?.amountMinor ?? left)}
            inputMode="decimal"
            hint={`Up to ${money(left, currency)} can be refunded. Enter less to refund a part.`}
          />
          <TextField name="reason" label="Reason" value={wanted?.reason} isOptional hint="Kept with the refund." />
        </Form>
      </Dialog>
    );
  const amount = money(wanted.amountMinor, currency);
  return (
    <Dialog key="confirm" title={`Refund ${amount}?`} onClose={onClose}>
      <Form
        submit={`Refund ${amount}`}
        isDangerous
        onCancel={() => setAsking(true)}
        onSubmit={async () => {
          const { amountMinor, reason } = wanted;
          const body = { amountMinor, ...(reason && { reason }) };
          await adminApi.call('POST /payments/{paymentId}/refunds', {
            path: { paymentId: id },
            body,
            idempotencyKey: keyOf(body),
          });
          toast(`The refund of ${amount} has begun`);
          onRefunded();
          return onClose;
        }}
      >
        <p>
          <strong>{amount}</strong>{' '}
          {wanted.amountMinor === left ? 'goes' : `of ${money(payment.amountMinor, currency)} goes`} back to the payer
          by {displayLabel}. This cannot be undone.
        </p>
      </Form>
    </Dialog>
  );
};
