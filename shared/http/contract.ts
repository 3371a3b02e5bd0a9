import * as z from 'zod';
import type { AccountRef } from '../kit/account-ref.ts';
import type { FaultCode } from '../kit/fault.ts';

type Fields = z.ZodObject;

/** What an endpoint takes and gives. The function runs it, the API description is printed from it. */
export interface Contract {
  readonly summary: string;
  /** What a reader of the description should know beyond the summary; CommonMark. */
  readonly description: string | undefined;
  /** A body that the endpoint takes, for the description. */
  readonly example: unknown;
  /** The status of success. */
  readonly status: 200 | 201 | 202 | 204;
  readonly path: Fields;
  readonly query: Fields;
  /** Undefined: whatever body comes is not read. */
  readonly body: z.ZodType | undefined;
  /** What stands under `data`. Undefined: the answer has no body. */
  readonly reply: z.ZodType | undefined;
  /** What stands beside `data`, such as `pagination`. */
  readonly beside: Fields | undefined;
  /** Headers of the answer that are its own. */
  readonly headers: Fields | undefined;
  /** Takes an `Idempotency-Key`: repeating a request under its key repeats the answer, not the effect. */
  readonly isReplayable: boolean;
  /** The refusals of its own, beyond those of every endpoint (401, 403, 429, 500). */
  readonly refuses: readonly FaultCode[];
}

const nothing = z.object({});
type Nothing = typeof nothing;

/** Completes a contract: a part that is left out takes and gives nothing. */
export const contract = <
  Path extends Fields = Nothing,
  Query extends Fields = Nothing,
  Body extends z.ZodType | undefined = undefined,
  Reply extends z.ZodType | undefined = undefined,
  Beside extends Fields | undefined = undefined,
  Headers extends Fields | undefined = undefined,
>(parts: {
  readonly summary: string;
  readonly description?: string;
  readonly example?: Body extends z.ZodType ? z.input<Body> : never;
  readonly status: Contract['status'];
  readonly path?: Path;
  readonly query?: Query;
  readonly body?: Body;
  readonly reply?: Reply;
  readonly beside?: Beside;
  readonly headers?: Headers;
  readonly isReplayable?: true;
  readonly refuses?: readonly FaultCode[];
}) => ({
  summary: parts.summary,
  description: parts.description,
  example: parts.example,
  status: parts.status,
  path: (parts.path ?? nothing) as Path,
  query: (parts.query ?? nothing) as Query,
  body: parts.body as Body,
  reply: parts.reply as Reply,
  beside: parts.beside as Beside,
  headers: parts.headers as Headers,
  isReplayable: parts.isReplayable ?? false,
  refuses: parts.refuses ?? [],
});

/** What a request brings, read and checked. */
export interface RequestOf<C extends Contract> {
  readonly path: z.output<C['path']>;
  readonly query: z.output<C['query']>;
  readonly body: C['body'] extends z.ZodType ? z.output<C['body']> : undefined;
  /** Where the contract takes one. */
  readonly idempotencyKey?: string | undefined;
  /** The id of what this request creates. A retry under the same idempotency key is given the same one. */
  readonly newId: string;
  /** An earlier request under the same idempotency key ended without an answer, and may have created it. */
  readonly isResumed?: boolean;
  /** When the request arrived, in milliseconds since 1970; never earlier than the time in `newId`. */
  readonly nowMs: number;
}

/** What is known of a request that carries an idempotency key, whatever it says. */
export type KeyedRequest<C extends Contract> = Pick<RequestOf<C>, 'path' | 'nowMs'> & {
  readonly idempotencyKey: string;
};

/** The input of a handler behind an API key. */
export type Input<C extends Contract> = RequestOf<C> & { readonly account: AccountRef };

type Headers<C extends Contract> = C['headers'] extends Fields ? { headers: z.input<C['headers']> } : unknown;

type Data<C extends Contract> = C['reply'] extends z.ZodType ? z.input<C['reply']> : undefined;

/** What a handler gives: the data itself or, where the contract puts something beside it or has headers, `{ data, …, headers }`. */
export type Reply<C extends Contract> = C['beside'] extends Fields
  ? { data: Data<C> } & z.input<C['beside']> & Headers<C>
  : C['headers'] extends Fields
    ? { data: Data<C> } & Headers<C>
    : Data<C>;
