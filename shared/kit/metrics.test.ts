import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { metered, metrics, metricsNamespace } from './metrics.ts';

describe('a line with metrics', () => {
  beforeEach(() => void vi.stubEnv('METRICS_NAMESPACE', metricsNamespace('prod')));
  afterEach(() => void vi.unstubAllEnvs());

  const definitionsIn = (fields: Readonly<Record<string, unknown>>) =>
    (fields['_aws'] as { CloudWatchMetrics: { Dimensions: string[][]; Metrics: { Name: string }[] }[] })
      .CloudWatchMetrics;

  it('has them in the embedded metric format', () => {
    expect(metered({ accepted: 2, sendLag: [10, 20] }, 'email')).toEqual({
      _aws: {
        Timestamp: expect.any(Number),
        CloudWatchMetrics: [
          {
            Namespace: 'messaging-and-checkout/prod',
            Dimensions: [['channel']],
            Metrics: [
              { Name: 'accepted', Unit: 'Count' },
              { Name: 'sendLag', Unit: 'Milliseconds' },
            ],
          },
        ],
      },
      channel: 'email',
      accepted: 2,
      sendLag: [10, 20],
    });
  });

  it('divides each by its own field, and one without a field by none', () => {
    const fields = metered({ attempts: 1, webhookLag: [7] }, 'succeeded');
    expect(definitionsIn(fields).map(({ Dimensions }) => Dimensions)).toEqual([[['outcome']], [[]]]);
    expect(fields).toMatchObject({ outcome: 'succeeded', attempts: 1, webhookLag: [7] });
  });

  it('names no metric without a value, and at most a hundred values of one', () => {
    const fields = metered({ sent: 1, sendLag: [] }, 'sms');
    expect(definitionsIn(fields)[0]?.Metrics).toEqual([{ Name: 'sent', Unit: 'Count' }]);
    expect(fields).not.toHaveProperty('sendLag');
    expect(metered({ webhookLag: [] })).toEqual({});
    expect(metered({ webhookLag: Array.from({ length: 101 }, (_, n) => n) })['webhookLag']).toHaveLength(100);
  });

  it('is a plain line where the metrics are off', () => {
    vi.stubEnv('METRICS_NAMESPACE', '');
    expect(metered({ accepted: 1 }, 'email')).toEqual({});
  });

  it('divides no metric by a field that people or accounts decide', () => {
    for (const { by } of Object.values(metrics)) expect(['channel', 'reason', 'outcome', undefined]).toContain(by);
  });
});
