import type { ListedRefund } from '../../client/admin.ts';
import { adminApi } from '../apis.ts';
import { money } from '../parts/amount.ts';
import { Dialog } from '../parts/dialog.tsx';
import { CheckFields, Form, TextField } from '../parts/form.tsx';
import { chosenIn, FieldError, someTextIn } from '../parts/form-values.ts';
import { toast } from '../parts/toast.tsx';
import { Id } from '../parts/words.tsx';

const statuses = ['SUCCEEDED', 'FAILED'] as const;
interface Props {
  readonly refund: ListedRefund;
  readonly onClose: () => void;
  readonly onReviewed: () => void;
}

/** Takes what a person has found out at the gateway about a refund that stays open. */
export const RefundReviewDialog = ({ refund, onClose, onReviewed }: Props) => {
  const amount = money(refund.amountMinor, refund.currency);
  return (
    <Dialog title={`Open refund of ${amount}`} onClose={onClose}>
      <Form
        submit={`Settle refund of ${amount}`}
        isDangerous
        onCancel={onClose}
        onSubmit={async (values) => {
          const [status] = chosenIn(values, 'status', statuses);
          if (!status) throw new FieldError('status', 'choose one');
          const failureReason = status === 'FAILED' ? someTextIn(values, 'failureReason') : undefined;
          await adminApi.call('POST /payments/{paymentId}/refunds/{refundId}/resolution', {
            path: { paymentId: refund.paymentId, refundId: refund.id },
            body: { status, ...(failureReason && { failureReason }) },
          });
          toast(`The refund of ${amount} is settled`);
          onReviewed();
          return onClose;
        }}
      >
        <p>
          The gateway has given no final answer. Look the refund up there first: it is not asked any more, and this
          cannot be undone.
        </p>
        <p>
          Its order number at the gateway is <Id value={refund.orderNumber ?? refund.id} what="order number" />
        </p>
        <CheckFields
          name="status"
          label="Result"
          isSingle
          choices={[
            ['SUCCEEDED', `${amount} went back`, 'The payer has the money, or gets it for certain.'],
            ['FAILED', 'No money went back', `${amount} can be refunded again.`],
          ]}
        />
        <TextField name="failureReason" label="Why it failed" isOptional hint="Kept with the refund." />
      </Form>
    </Dialog>
  );
};
