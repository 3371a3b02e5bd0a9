import type { GatewayAnswer } from '../../checkout/gateway-answer.ts';

/** Nothing may be concluded; `code` and `reason` tell an operator why. */
export const unknownAnswer = (code: string, reason?: string): GatewayAnswer => ({
  state: 'unknown',
  code,
  ...(reason && { reason }),
  ...(code === 'not_reached' && { mayAskAgain: true }),
});
