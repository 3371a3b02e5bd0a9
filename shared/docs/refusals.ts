import * as z from 'zod';
import { docsUrlOf, faults } from '../http/faults.ts';
import { type FaultCode, faultCodes } from '../kit/fault.ts';
import type { Ref, Response } from './document.ts';
import { type HeaderName, onEveryAnswer, refer } from './headers.ts';

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

/** One response for each status, named by the codes that it may carry. */
export const responsesOf = (codes: readonly FaultCode[]): Record<string, Ref> =>
  Object.fromEntries(
    [...byStatus(codes)].map(([status, those]) => [status, { $ref: `#/components/responses/${nameOf(those)}` }]),
  );

/** The responses that endpoints with these refusals refer to. `headers`: what is on every answer to a caller who is let in. */
export const refusalResponses = (
  refusals: readonly (readonly FaultCode[])[],
  headers: readonly HeaderName[],
): Record<string, Response> =>
  Object.fromEntries(
    refusals
      .flatMap((codes) => [...byStatus(codes)])
      .map(([status, codes]) => [nameOf(codes), responseOf(status, codes, headers)]),
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

const responseOf = (status: number, codes: readonly FaultCode[], headers: readonly HeaderName[]): Response => ({
  description: codes.map((code) => `\`${code}\`: ${faults[code].condition}`).join('\n\n'),
  headers: refer(status === faults.unauthorized.status ? onEveryAnswer : headers),
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
