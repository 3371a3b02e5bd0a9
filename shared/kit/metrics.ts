/**
 * Every metric of our own, with its unit and the one field that it is divided by. CloudWatch charges for each value of that field, so none is
 * divided by account. What each counts is in `docs/metric-texts.ts`.
 */
export const metrics = {
  accepted: { unit: 'Count', by: 'channel' },
  sent: { unit: 'Count', by: 'channel' },
  delivered: { unit: 'Count', by: 'channel' },
  failed: { unit: 'Count', by: 'channel' },
  sendLag: { unit: 'Milliseconds', by: 'channel' },
  blocked: { unit: 'Count', by: 'reason' },
  attempts: { unit: 'Count', by: 'outcome' },
  webhookLag: { unit: 'Milliseconds', by: undefined },
  payments: { unit: 'Count', by: 'outcome' },
  refunds: { unit: 'Count', by: 'outcome' },
  retries: { unit: 'Count', by: 'reason' },
} as const satisfies Record<string, { readonly unit: string; readonly by: string | undefined }>;

export type MetricName = keyof typeof metrics;

/** The most values of one metric in one line. */
const mostValues = 100;

/** CloudWatch's namespace for the metrics of a stage. */
export const metricsNamespace = (stage: string): string => `messaging-and-checkout/${stage}`;

/**
 * Fields that make CloudWatch count a line of the log (embedded metric format). None where `METRICS_NAMESPACE` is not set. `by`: the channel,
 * reason or outcome of those metrics of the line that have one.
 */
export const metered = (
  values: Partial<Record<MetricName, number | readonly number[]>>,
  by = '',
): Readonly<Record<string, unknown>> => {
  const namespace = process.env['METRICS_NAMESPACE'];
  const names = (Object.keys(values) as MetricName[]).filter((name) => [values[name]].flat().length > 0);
  if (!namespace || names.length === 0) return {};
  const divided = Map.groupBy(names, (name) => metrics[name].by);
  const directives = [...divided].map(([dimension, some]) => ({
    Namespace: namespace,
    Dimensions: [dimension === undefined ? [] : [dimension]],
    Metrics: some.map((name) => ({ Name: name, Unit: metrics[name].unit })),
  }));
  const fields = names.map((name) => {
    const value = values[name];
    return [name, typeof value === 'object' ? value.slice(0, mostValues) : value] as const;
  });
  return {
    _aws: { Timestamp: Date.now(), CloudWatchMetrics: directives },
    ...Object.fromEntries([...divided.keys()].flatMap((dimension) => (dimension ? [[dimension, by]] : []))),
    ...Object.fromEntries(fields),
  };
};
