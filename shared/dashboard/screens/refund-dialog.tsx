import { useState } from 'preact/hooks';
import type { CheckoutPayment } from '../../client/checkout.ts';
import { adminApi } from '../apis.ts';
import { amountText, minorIn } from '../parts/amount.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FieldError, Form, someTextIn, TextField } from '../parts/form.tsx';
import { toast } from '../parts/toast.tsx';
import { money } from '../parts/words.tsx';

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
  /** One for each confirmation, so that sending it again after a lost answer refunds once. */
  readonly idempotencyKey: string;
}

/** Asks how much, then names the amount before it goes back. */
export const RefundDialog = ({ payment, left, onClose, onRefunded }: Props) => {
  const [wanted, setWanted] = useState<Wanted>();
  const { id, currency, displayLabel } = payment;
  if (!wanted)
    return (
      <Dialog title="Refund payment" onClose={onClose}>
        <Form
          submit="Continue"
          onCancel={onClose}
          onSubmit={async (values) => {
            const amountMinor = minorIn(someTextIn(values, 'amount') ?? '');
            if (!amountMinor || amountMinor > left)
              throw new FieldError('amount', `must be between 0.01 and ${amountText(left)}`);
            setWanted({ amountMinor, reason: someTextIn(values, 'reason'), idempotencyKey: crypto.randomUUID() });
          }}
        >
          <TextField
            name="amount"
            label={`Amount in ${currency}`}
            value={amountText(left)}
            inputMode="decimal"
            hint={`Up to ${money(left, currency)} can be refunded. Enter less to refund a part.`}
          />
          <TextField name="reason" label="Reason" isOptional hint="Kept with the refund." />
        </Form>
      </Dialog>
    );
  const amount = money(wanted.amountMinor, currency);
  return (
    <Dialog key="confirm" title={`Refund ${amount}?`} onClose={onClose}>
      <Form
        submit={`Refund ${amount}`}
        isDangerous
        onCancel={() => setWanted(undefined)}
        onSubmit={async () => {
          const { amountMinor, reason, idempotencyKey } = wanted;
          await adminApi.call('POST /payments/{paymentId}/refunds', {
            path: { paymentId: id },
            body: { amountMinor, ...(reason && { reason }) },
            idempotencyKey,
          });
          toast(`The refund of ${amount} has begun`);
          onRefunded();
          onClose();
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
