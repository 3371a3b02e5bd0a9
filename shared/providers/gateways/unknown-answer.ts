import type { GatewayAnswer } from '../../checkout/gateway-answer.ts';

/** The outcome is unknown; `code` and `reason` show an operator why. */
export const unknownAnswer = (code: string, reason?: string): GatewayAnswer => ({
  state: 'unknown',
  code,
  ...(reason && { reason }),
  ...(code === 'not_reached' && { mayRetry: true }),
});
