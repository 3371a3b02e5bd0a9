import * as z from 'zod';
import type { Contract } from '../http/contract.ts';
import { docsUrlOf, faults } from '../http/faults.ts';
import { type FaultCode, faultCodes } from '../kit/fault.ts';
import type { Ref, Response } from './document.ts';
import { onEveryAnswer, onKeyedAnswers, refer } from './headers.ts';

/** What every refusal carries (specification, "Envelope"). */
export const refusal = z
  .object({
    error: z.object({
      code: z.enum(faultCodes).describe('Branch on this. Codes are only ever added.'),
      message: z.string().describe('For people; may be reworded. Several failures are joined with `; `.'),
      docsUrl: z.string().describe('The path of the page that explains the code.'),
    }),
  })
  .meta({ id: 'Refusal', description: 'What stands in place of `data` when a request is refused.' });

const ofEveryEndpoint: readonly FaultCode[] = ['unauthorized', 'forbidden_scope', 'rate_limited', 'internal_error'];

/** All that an endpoint may refuse with. */
export const refusalsOf = ({ refuses, isReplayable }: Contract): readonly FaultCode[] => {
  const replaying: readonly FaultCode[] = isReplayable ? ['invalid_request', 'idempotency_conflict'] : [];
  const possible = new Set([...refuses, ...replaying, ...ofEveryEndpoint]);
  return faultCodes.filter((code) => possible.has(code));
};

/** One response for each status, named by the codes that it may carry. */
export const responsesOf = (codes: readonly FaultCode[]): Record<string, Ref> =>
  Object.fromEntries(
    [...byStatus(codes)].map(([status, those]) => [status, { $ref: `#/components/responses/${nameOf(those)}` }]),
  );

/** The responses that these endpoints refer to. */
export const refusalResponses = (contracts: readonly Contract[]): Record<string, Response> =>
  Object.fromEntries(
    contracts
      .flatMap((contract) => [...byStatus(refusalsOf(contract))])
      .map(([status, codes]) => [nameOf(codes), responseOf(status, codes)]),
  );

/** One example for each code. */
export const refusalExamples: Readonly<Record<string, { readonly value: unknown }>> = Object.fromEntries(
  faultCodes.map((code) => [
    code,
    { value: { error: { code, message: faults[code].condition, docsUrl: docsUrlOf(code) } } },
  ]),
);

const byStatus = (codes: readonly FaultCode[]): Map<number, FaultCode[]> =>
  Map.groupBy(codes, (code) => faults[code].status);

const nameOf = (codes: readonly FaultCode[]): string => codes.join('.');

const responseOf = (status: number, codes: readonly FaultCode[]): Response => ({
  description: codes.map((code) => `\`${code}\`: ${faults[code].condition}`).join('\n\n'),
  headers: refer(status === faults.unauthorized.status ? onEveryAnswer : onKeyedAnswers),
  content: {
    'application/json': {
      schema: {
        allOf: [{ $ref: '#/components/schemas/Refusal' }],
        type: 'object',
        properties: { error: { type: 'object', properties: { code: { type: 'string', enum: codes } } } },
      },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
});
