import * as z from 'zod';
import type { AccountRef } from '../kit/account-ref.ts';
import type { FaultCode } from '../kit/fault.ts';

type Fields = z.ZodObject;

/** The request and answer of an endpoint. The function runs it, and the API description is generated from it. */
export interface Contract {
  readonly summary: string;
  /** Details beyond the summary; CommonMark. */
  readonly description: string | undefined;
  /** An example body, for the description. */
  readonly example: unknown;
  /** An example of `data`, where that of its schema is not what this endpoint answers. */
  readonly replyExample: unknown;
  /** The status of success. */
  readonly status: 200 | 201 | 202 | 204;
  readonly path: Fields;
  readonly query: Fields;
  /** Undefined: the body is not read. */
  readonly body: z.ZodType | undefined;
  /** The schema of `data`. Undefined: the answer has no body. */
  readonly reply: z.ZodType | undefined;
  /** Fields beside `data`, for example `pagination`. */
  readonly beside: Fields | undefined;
  /** Additional headers of this endpoint's answer. */
  readonly headers: Fields | undefined;
  /** Accepts an `Idempotency-Key`: a repeated request with the same key repeats the answer, not the effect. */
  readonly isReplayable: boolean;
  /** This endpoint's refusals, beyond those of every endpoint (401, 403, 429, 500). */
  readonly refuses: readonly FaultCode[];
  /** When this endpoint returns a code, where others return it for other reasons. CommonMark. */
  readonly refusesWhen: Conditions;
}

/** Why codes are returned. */
export type Conditions = Readonly<Partial<Record<FaultCode, string>>>;

const nothing = z.object({});
type Nothing = typeof nothing;

/** Completes a contract: omitted parts are empty. */
export const contract = <
  Path extends Fields = Nothing,
  Query extends Fields = Nothing,
  Body extends z.ZodType | undefined = undefined,
  Reply extends z.ZodType | undefined = undefined,
  Beside extends Fields | undefined = undefined,
  Headers extends Fields | undefined = undefined,
  const Code extends FaultCode = never,
>(parts: {
  readonly summary: string;
  readonly description?: string;
  readonly example?: Body extends z.ZodType ? z.input<Body> : never;
  readonly replyExample?: object;
  readonly status: Contract['status'];
  readonly path?: Path;
  readonly query?: Query;
  readonly body?: Body;
  readonly reply?: Reply;
  readonly beside?: Beside;
  readonly headers?: Headers;
  readonly isReplayable?: true;
  readonly refuses?: readonly Code[];
  readonly refusesWhen?: Readonly<Partial<Record<NoInfer<Code>, string>>>;
}) => ({
  summary: parts.summary,
  description: parts.description,
  example: parts.example,
  replyExample: parts.replyExample,
  status: parts.status,
  path: (parts.path ?? nothing) as Path,
  query: (parts.query ?? nothing) as Query,
  body: parts.body as Body,
  reply: parts.reply as Reply,
  beside: parts.beside as Beside,
  headers: parts.headers as Headers,
  isReplayable: parts.isReplayable ?? false,
  refuses: parts.refuses ?? [],
  refusesWhen: parts.refusesWhen ?? {},
});

/** A parsed and validated request. */
export interface RequestOf<C extends Contract> {
  readonly path: z.output<C['path']>;
  readonly query: z.output<C['query']>;
  readonly body: C['body'] extends z.ZodType ? z.output<C['body']> : undefined;
  /** Set if the contract has one. */
  readonly idempotencyKey?: string | undefined;
  /** The id of the resource that this request creates. A retry with the same idempotency key gets the same id. */
  readonly newId: string;
  /** True when an earlier request with the same idempotency key ended without an answer, and may have created it. */
  readonly isResumed?: boolean;
  /** The arrival time in milliseconds since 1970; never earlier than the time in `newId`. */
  readonly nowMs: number;
}

/** The parts of a request with an idempotency key that do not depend on its content. */
export type KeyedRequest<C extends Contract> = Pick<RequestOf<C>, 'path' | 'nowMs'> & {
  readonly idempotencyKey: string;
};

/** The input of a handler behind an API key. */
export type Input<C extends Contract> = RequestOf<C> & { readonly account: AccountRef };

type Headers<C extends Contract> = C['headers'] extends Fields ? { headers: z.input<C['headers']> } : unknown;

type Data<C extends Contract> = C['reply'] extends z.ZodType ? z.input<C['reply']> : undefined;

/** A handler's result: the data itself or, when the contract has other fields or headers, `{ data, …, headers }`. */
export type Reply<C extends Contract> = C['beside'] extends Fields
  ? { data: Data<C> } & z.input<C['beside']> & Headers<C>
  : C['headers'] extends Fields
    ? { data: Data<C> } & Headers<C>
    : Data<C>;
