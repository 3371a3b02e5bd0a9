import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { Random } from './random.ts';

/** What can go wrong with a call. `before`: the call is not carried out. `after`: it is, and the caller does not know. */
const moments = {
  throttled: 'before',
  unreached: 'before',
  broken: 'before',
  conflict: 'before',
  refused: 'before',
  failed: 'before',
  killedBefore: 'before',
  timedOut: 'after',
  lost: 'after',
  killedAfter: 'after',
} as const;

export type FaultName = keyof typeof moments;
export const faultNames = Object.keys(moments) as readonly FaultName[];
export type Moment = (typeof moments)[FaultName];

export const momentOf = (name: FaultName): Moment => moments[name];
export const isAfter = (name: FaultName): boolean => moments[name] === 'after';
export const isKill = (name: FaultName): boolean => name === 'killedBefore' || name === 'killedAfter';

export type ServiceName = 'table' | 'queue' | 'schedule' | 'keys' | 'email' | 'sms' | 'http' | 'files';

type Faults = readonly [FaultName, ...FaultName[]];
const ofAws: Faults = ['throttled', 'unreached', 'failed', 'killedBefore', 'timedOut', 'lost', 'killedAfter'];

const faults: Readonly<Record<ServiceName, Faults>> = {
  table: [...ofAws, 'conflict'],
  queue: ofAws,
  schedule: ofAws,
  keys: ofAws,
  email: [...ofAws, 'refused'],
  sms: ofAws,
  http: ['unreached', 'failed', 'killedBefore', 'broken', 'lost', 'killedAfter'],
  files: ofAws,
};

/** What can go wrong with a service at that moment. */
export const faultsAt = (service: ServiceName, moment: Moment): readonly FaultName[] =>
  faults[service].filter((name) => moments[name] === moment);

export const drawnFault = (service: ServiceName, random: Random): FaultName => random.pick(faults[service]);

const errorNamed = (name: string, message: string, more: object = {}): Error =>
  Object.assign(new Error(message), { name, ...more });

const answered = (httpStatusCode: number) => ({ $metadata: { httpStatusCode } });

/** What the caller of an AWS service gets. */
export const awsErrors: Readonly<Record<Exclude<FaultName, 'killedBefore' | 'killedAfter' | 'conflict'>, () => Error>> =
  {
    throttled: () => errorNamed('Throttling', 'Maximum sending rate exceeded', answered(400)),
    unreached: () => errorNamed('Error', 'connect ECONNREFUSED', { code: 'ECONNREFUSED', isConnected: false }),
    broken: () => errorNamed('Error', 'socket hang up', { code: 'ECONNRESET' }),
    failed: () => errorNamed('InternalServerError', 'Internal server error', answered(500)),
    refused: () => errorNamed('MessageRejected', 'Address is on the suppression list', answered(400)),
    timedOut: () => errorNamed('TimeoutError', 'Request did not complete within 4000 ms'),
    lost: () => errorNamed('Error', 'socket hang up', { code: 'ECONNRESET' }),
  };

/** Another transaction is at one of the items. */
export const conflictOf = (writes: number | undefined, random: Random): Error => {
  if (writes === undefined) return errorNamed('TransactionConflictException', 'Transaction is ongoing', answered(400));
  const met = random.below(writes);
  return new TransactionCanceledException({
    ...answered(400),
    message: 'Transaction cancelled',
    CancellationReasons: Array.from({ length: writes }, (_, n) => ({
      Code: n === met ? 'TransactionConflict' : 'None',
    })),
  });
};
