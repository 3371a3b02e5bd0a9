import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Fault, FaultCode } from '../kit/fault.ts';
import { iso } from '../kit/time.ts';
import type { IdempotencyKeys } from './idempotency-keys.ts';

/** Whose key a request has, for the account's request log. */
export interface KeyHolder {
  readonly accountId: string;
  /** The beginning of the key, as lists of keys show it. */
  readonly keyPrefix: string;
  /** The key was lent to a person, as those of the dashboard are. */
  readonly isFromDashboard?: true;
}

/** The caller or the refusal, and the headers of every answer to them. A refused caller may be a known one. */
export type Identity<Who> = {
  readonly headers: Readonly<Record<string, string>>;
  readonly keyHolder?: KeyHolder;
  /** Gets the status of every answer before the caller sees it, and the id of what was made. */
  readonly noteStatus?: (status: number, made: string | undefined) => Promise<void>;
} & ({ readonly who: Who } | { readonly refusal: Fault });

/** One API of the product: its authentication, and the shape of its refusals. */
export interface Surface<Who extends object> {
  identify(event: APIGatewayProxyEventV2, nowMs: number): Promise<Identity<Who>>;
  /** What the surface calls a code, where that is another name. */
  codeOf?(code: FaultCode): FaultCode;
  faultBody(fault: FaultAnswer): unknown;
  /** The store of its callers' idempotency keys, if it accepts any. */
  readonly idempotencyKeys?: IdempotencyKeys<Who>;
}

/** The content of a refusal; the surface chooses its shape. */
export interface FaultAnswer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly docsUrl: string;
  readonly path: string;
  readonly nowMs: number;
}

/** The error envelope (messaging specification, "Envelope"; checkout specification, "Errors"). */
export const envelope = ({ code, message, docsUrl }: Pick<FaultAnswer, 'code' | 'message' | 'docsUrl'>) => ({
  error: { code, message, docsUrl },
});

/** How the checkout answers a refusal: it has its own code for a failed validation (checkout specification, "Errors"). */
export const checkoutFaults = {
  codeOf: (code: FaultCode): FaultCode => (code === 'invalid_request' ? 'bad_request' : code),
  faultBody: envelope,
};

/** The older shape of webhook management (messaging specification, "Envelope"). */
export const olderEnvelope = ({ status, code, message, path, nowMs }: FaultAnswer) => ({
  statusCode: status,
  error: code,
  message,
  timestamp: iso(nowMs),
  path,
});
