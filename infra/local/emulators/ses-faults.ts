import { AwsError } from './json-service.ts';

export const sesFaults = ['throttling', 'unavailable', 'rejected', 'hang'] as const;

export type SesFault = (typeof sesFaults)[number];

const answers: Readonly<Record<SesFault, () => Promise<never>>> = {
  throttling: () => Promise.reject(new AwsError('Throttling', 'Maximum sending rate exceeded.')),
  unavailable: () => Promise.reject(new AwsError('InternalFailure', 'The request failed for an unknown reason.', 500)),
  rejected: () => Promise.reject(new AwsError('MessageRejected', 'Email address is not verified.')),
  hang: () => new Promise<never>(() => {}),
};

export type SesFaults = ReturnType<typeof createSesFaults>;

/** Faults on demand: the next `times` mails fail with this one. A new demand replaces the last; 0 clears it. */
export function createSesFaults() {
  let demanded: { fault: SesFault; times: number } | undefined;
  return {
    failNext(fault: SesFault, times = 1): void {
      demanded = { fault, times };
    },
    /** Rejects, or stays pending, while a fault is demanded. */
    async meet(): Promise<void> {
      if (!demanded || demanded.times === 0) return;
      demanded.times -= 1;
      await answers[demanded.fault]();
    },
  };
}
