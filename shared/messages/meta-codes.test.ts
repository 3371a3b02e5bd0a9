import { describe, expect, it } from 'vitest';
import { metaFailure } from './meta-codes.ts';

describe('metaFailure', () => {
  it.each([
    [131026, 'deliveryFailed', 'undeliverable', false],
    [131047, 'deliveryFailed', 'window_closed', false],
    [131000, 'deliveryFailed', 'provider_error', false],
    [130429, 'deliveryFailed', 'throttled', false],
    [131049, 'contentRejected', 'held_back', false],
    [130472, 'contentRejected', 'recipient_in_experiment', false],
    [131048, 'contentRejected', 'sender_paused', true],
    [210, 'deliveryFailed', 'access_denied', true],
    [999_999, 'deliveryFailed', 'meta_999999', false],
  ])('makes of %i a %s with %s; it concerns the sender: %s', (code, trigger, ours, concernsSender) => {
    expect(metaFailure(code)).toEqual({ trigger, code: ours, concernsSender });
  });
});
