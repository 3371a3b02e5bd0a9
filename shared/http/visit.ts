import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Contract, RequestOf } from './contract.ts';
import type { Claim, StoredReply } from './idempotency-keys.ts';
import type { KeyHolder } from './surface.ts';

/** An event on its way through the chain, with the results of earlier steps. */
export interface Visit<C extends Contract, Who> extends APIGatewayProxyEventV2 {
  nowMs: number;
  /** The time at which Lambda cuts the function off. */
  deadlineMs: number;
  who: Who;
  /** Set once the caller's key is known. */
  keyHolder?: KeyHolder | undefined;
  /** Set if the surface wants to know the status of the answer. */
  noteStatus?: ((status: number, made: string | undefined) => Promise<void>) | undefined;
  /** Set if the contract has one. */
  idempotencyKey: string | undefined;
  /** The id of the resource that this request creates. */
  newId: string;
  input: RequestOf<C>;
  /** Set while the request is executed with an idempotency key. */
  claim?: Claim;
  /** Set when the request has been answered before. */
  replay?: StoredReply;
}

export type Answer = APIGatewayProxyStructuredResultV2 & { statusCode: number; headers: Record<string, string> };

/** One step of the chain that every request passes. */
export type Step<C extends Contract, Who> = middy.MiddlewareObj<
  Visit<C, Who>,
  Answer,
  Error,
  Context,
  { headers?: Record<string, string> }
>;
