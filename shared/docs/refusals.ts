import * as z from 'zod';
import { docsUrlOf, faults } from '../http/faults.ts';
import type { FaultCode } from '../kit/fault.ts';
import type { Ref, Response } from './document.ts';
import { type HeaderName, onEveryAnswer, refer } from './headers.ts';

/** The body of every refusal (messaging specification, "Envelope"), with the codes of an API. */
export const refusalOf = (codes: readonly FaultCode[]) =>
  z
    .object({
      error: z.object({
        code: z.enum(codes).describe('Branch on this. Codes are only ever added.'),
        message: z.string().describe('For humans; the wording may change. Several failures are joined with `; `.'),
        docsUrl: z.string().describe('The path of the page that explains the code.'),
      }),
    })
    .meta({ id: 'ErrorResponse', description: 'The body of an error response: `error` takes the place of `data`.' });

/** One response for each status, named by the codes that it may carry. */
export const responsesOf = (codes: readonly FaultCode[]): Record<string, Ref> =>
  Object.fromEntries(answersOf(codes).map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]));

/** The responses that endpoints with these refusals refer to. `headers`: those of every answer to an authenticated caller. */
export const refusalResponses = (
  refusals: readonly (readonly FaultCode[])[],
  headers: readonly HeaderName[],
): Record<string, Response> =>
  Object.fromEntries(refusals.flatMap(answersOf).map((answer) => [answer.name, responseOf(answer, headers)]));

/** One example for each code. */
export const refusalExamples = (codes: readonly FaultCode[]): Record<string, { readonly value: unknown }> =>
  Object.fromEntries(
    codes.map((code) => [
      code,
      { value: { error: { code, message: faults[code].condition, docsUrl: docsUrlOf(code) } } },
    ]),
  );

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

const responseOf = ({ status, codes }: RefusalAnswer, headers: readonly HeaderName[]): Response => ({
  description: codes.map((code) => `\`${code}\`: ${faults[code].condition}`).join('\n\n'),
  headers: refer(headersAt(status, headers)),
  content: {
    'application/json': {
      schema: {
        allOf: [{ $ref: '#/components/schemas/ErrorResponse' }],
        type: 'object',
        properties: { error: { type: 'object', properties: { code: { type: 'string', enum: codes } } } },
      },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
});
