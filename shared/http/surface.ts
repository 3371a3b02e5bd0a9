import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Fault } from '../kit/fault.ts';
import { iso } from '../kit/time.ts';
import { docsUrlOf } from './faults.ts';
import type { Replays } from './replays.ts';

/** Who is calling, or why they may not go on; and the headers that every answer to them carries. */
export type Identity<Who> = { readonly headers: Readonly<Record<string, string>> } & (
  | { readonly who: Who }
  | { readonly refusal: Fault }
);

/** One face of the product: how it knows its callers, and the shape in which it refuses. */
export interface Surface<Who extends object> {
  identify(event: APIGatewayProxyEventV2, nowMs: number): Promise<Identity<Who>>;
  faultBody(fault: FaultAnswer): unknown;
  /** Where its callers' idempotency keys are kept, if it takes any. */
  readonly replays?: Replays<Who>;
}

/** All that a refusal says, for a surface to lay out. */
export interface FaultAnswer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly docsUrl: string;
  readonly path: string;
  readonly nowMs: number;
}

/** The Errors envelope of both specifications. */
export const envelope = ({ code, message, docsUrl }: FaultAnswer) => ({ error: { code, message, docsUrl } });

/** The same on the checkout, which has its own word for a request that fails validation (checkout specification, "Errors"). */
export const checkoutEnvelope = (fault: FaultAnswer) =>
  envelope(
    fault.code === 'invalid_request' ? { ...fault, code: 'bad_request', docsUrl: docsUrlOf('bad_request') } : fault,
  );

/** The older shape, which the management of webhooks has kept (specification, "Envelope"). */
export const olderEnvelope = ({ status, code, message, path, nowMs }: FaultAnswer) => ({
  statusCode: status,
  error: code,
  message,
  timestamp: iso(nowMs),
  path,
});
