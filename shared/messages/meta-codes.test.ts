import { describe, expect, it } from 'vitest';
import { metaFailure } from './meta-codes.ts';

describe('metaFailure', () => {
  it.each([
    [131026, 'sendFailed', 'undeliverable'],
    [131047, 'sendFailed', 'window_closed'],
    [131000, 'sendFailed', 'provider_error'],
    [130429, 'sendFailed', 'throttled'],
    [131049, 'contentRejected', 'held_back'],
    [130472, 'contentRejected', 'recipient_in_experiment'],
    [131048, 'contentRejected', 'sender_paused'],
    [210, 'sendFailed', 'access_denied'],
    [999_999, 'sendFailed', 'meta_999999'],
  ])('makes of %i a %s with %s', (code, trigger, ours) => {
    expect(metaFailure(code)).toEqual({ trigger, code: ours });
  });
});
