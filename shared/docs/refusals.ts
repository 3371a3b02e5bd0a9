import * as z from 'zod';
import type { Conditions } from '../http/contract.ts';
import { faults } from '../http/faults.ts';
import { envelope, olderEnvelope } from '../http/surface.ts';
import { docsUrlOf, type FaultCode } from '../kit/fault.ts';
import type { Api } from './apis.ts';
import type { Ref, Response, Schema } from './document.ts';
import { type HeaderName, onEveryAnswer, refer } from './headers.ts';

/** An API, as far as its refusals depend on it. */
type Refusing = Pick<Api, 'headers' | 'server' | 'refusalPrefix' | 'refusesInOlderShape'>;

/** When an API, which is known by the prefix of its paths, returns a code. CommonMark. */
const conditionOf = (code: FaultCode, server: string): string => {
  const { condition, onCheckout, onAdmin } = faults[code];
  const others: Readonly<Record<string, string | undefined>> = { '/v1': onCheckout, '/admin/v1': onAdmin };
  return others[server] ?? condition;
};

/** Why a status is returned: a paragraph for each of its codes. */
const reasonsOf = (codes: readonly FaultCode[], { server }: Refusing, own: Conditions = {}): string =>
  codes.map((code) => `\`${code}\`: ${own[code] ?? conditionOf(code, server)}`).join('\n\n');

/** What such paragraphs say of one code. */
export const reasonIn = (reasons: string, code: string): string => {
  const start = `\`${code}\`: `;
  const paragraph = reasons.split('\n\n').find((each) => each.startsWith(start));
  return paragraph?.slice(start.length) ?? '';
};

const codeOf = (codes: readonly FaultCode[]) => z.enum(codes).describe('Branch on this. Codes are only ever added.');
const words = z.string().describe('For humans; the wording may change. Several failures are joined with `; `.');

/** The body of every refusal (messaging specification, "Envelope"), with the codes of an API. */
export const refusalOf = (codes: readonly FaultCode[], { refusesInOlderShape }: Refusing) =>
  refusesInOlderShape ? olderRefusalOf(codes) : usualRefusalOf(codes);

const usualRefusalOf = (codes: readonly FaultCode[]) =>
  z
    .object({
      error: z.object({
        code: codeOf(codes),
        message: words,
        docsUrl: z.string().describe('The path of the page that explains the code.'),
      }),
    })
    .meta({ id: 'ErrorResponse', description: 'The body of an error response: `error` takes the place of `data`.' });

const olderRefusalOf = (codes: readonly FaultCode[]) =>
  z
    .object({
      statusCode: z.int().describe('The status of the response.'),
      error: codeOf(codes),
      message: words,
      timestamp: z.string().meta({ format: 'date-time' }),
      path: z.string().describe('The path of the request.'),
    })
    .meta({ id: 'OlderErrorResponse', description: 'The body of an error response of webhook management.' });

/** One response for each status, named by the codes that it may carry. An endpoint's own conditions take the place of the response's description. */
export const responsesOf = (codes: readonly FaultCode[], api: Refusing, own: Conditions): Record<string, Ref> =>
  Object.fromEntries(
    answersOf(codes).map(({ status, name, codes: those }) => {
      const $ref = `#/components/responses/${api.refusalPrefix}${name}`;
      return [status, those.some((code) => own[code]) ? { $ref, description: reasonsOf(those, api, own) } : { $ref }];
    }),
  );

/** The responses that endpoints of an API with these refusals refer to. */
export const refusalResponses = (codes: readonly FaultCode[], api: Refusing): Record<string, Response> =>
  Object.fromEntries(answersOf(codes).map((answer) => [api.refusalPrefix + answer.name, responseOf(answer, api)]));

/** One example for each code. */
export const refusalExamples = (
  codes: readonly FaultCode[],
  api: Refusing,
): Record<string, { readonly value: unknown }> =>
  Object.fromEntries(codes.map((code) => [exampleName(code, api), { value: exampleBody(code, api) }]));

/** APIs that refuse alike share their examples. */
const exampleName = (code: FaultCode, { refusesInOlderShape, refusalPrefix }: Refusing): string =>
  refusesInOlderShape ? refusalPrefix + code : code;

const exampleBody = (code: FaultCode, { refusesInOlderShape, server }: Refusing): unknown => {
  const { status } = faults[code];
  const fault = { status, code, message: conditionOf(code, server), docsUrl: docsUrlOf(code) };
  return refusesInOlderShape
    ? olderEnvelope({ ...fault, path: '/api/v1/webhooks', nowMs: Date.UTC(2026, 10, 20, 12) })
    : envelope(fault);
};

interface RefusalAnswer {
  readonly status: number;
  readonly name: string;
  readonly codes: readonly FaultCode[];
}

/** Every endpoint that can fail unexpectedly can also be unavailable, with the same code. */
const unavailable: RefusalAnswer = { status: 503, name: 'unavailable', codes: ['internal_error'] };

const answersOf = (codes: readonly FaultCode[]): RefusalAnswer[] => [
  ...[...Map.groupBy(codes, (code) => faults[code].status)].map(([status, those]) => ({
    status,
    name: those.join('.'),
    codes: those,
  })),
  ...(codes.includes('internal_error') ? [unavailable] : []),
];

const headersAt = (status: number, onSuccess: readonly HeaderName[]): readonly HeaderName[] => {
  if (status === faults.unauthorized.status) return [...onEveryAnswer, 'WWW-Authenticate'];
  const isPassing = status === unavailable.status || status === faults.rate_limited.status;
  return isPassing ? [...onSuccess, 'Retry-After'] : onSuccess;
};

const responseOf = ({ status, codes }: RefusalAnswer, api: Refusing): Response => ({
  description: reasonsOf(codes, api),
  headers: refer(headersAt(status, api.headers)),
  content: {
    'application/json': {
      schema: schemaOf(codes, api),
      examples: Object.fromEntries(
        codes.map((code) => [code, { $ref: `#/components/examples/${exampleName(code, api)}` }]),
      ),
    },
  },
});

const schemaOf = (codes: readonly FaultCode[], { refusesInOlderShape }: Refusing): Schema => {
  const code: Schema = { type: 'string', enum: codes };
  return refusesInOlderShape
    ? { allOf: [{ $ref: '#/components/schemas/OlderErrorResponse' }], type: 'object', properties: { error: code } }
    : {
        allOf: [{ $ref: '#/components/schemas/ErrorResponse' }],
        type: 'object',
        properties: { error: { type: 'object', properties: { code } } },
      };
};
