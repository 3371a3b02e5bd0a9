/** Why a payment failed, or does not count, where the code is ours and no gateway’s. The documentation has a row for each code. */
export const paymentFailures = {
  unavailable: { code: 'gateway_unavailable', reason: 'The gateway could not be reached.' },
  cancelled: { code: 'cancelled', reason: 'The payment was cancelled.' },
  rejected: { code: 'rejected', reason: 'A manual review found that no money had arrived.' },
  surplus: {
    code: 'surplus',
    reason: 'The money does not complete the session. A refund was requested automatically.',
  },
  reviewed: {
    code: 'surplus',
    reason: 'The money does not complete the session. A manual review decided to refund it.',
  },
} as const;

export type PaymentFailureCode = (typeof paymentFailures)[keyof typeof paymentFailures]['code'];
