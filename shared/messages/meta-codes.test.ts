import { describe, expect, it } from 'vitest';
import { metaFailure } from './meta-codes.ts';

describe('metaFailure', () => {
  it.each([
    [131026, 'deliveryFailed', 'undeliverable'],
    [131047, 'deliveryFailed', 'window_closed'],
    [131000, 'deliveryFailed', 'provider_error'],
    [130429, 'deliveryFailed', 'throttled'],
    [131049, 'contentRejected', 'held_back'],
    [130472, 'contentRejected', 'recipient_in_experiment'],
    [131048, 'contentRejected', 'sender_paused'],
    [210, 'deliveryFailed', 'access_denied'],
    [999_999, 'deliveryFailed', 'meta_999999'],
  ])('makes of %i a %s with %s', (code, trigger, ours) => {
    expect(metaFailure(code)).toEqual({ trigger, code: ours });
  });
});
