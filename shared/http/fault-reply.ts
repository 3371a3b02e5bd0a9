import type { Fault } from '../kit/fault.ts';
import { docsUrlOf, faults } from './faults.ts';
import { envelope } from './surface.ts';

/** The answer that refuses what no endpoint with a contract takes. */
export const faultReply = ({ code, message }: Fault, headers: Readonly<Record<string, string>> = {}) => ({
  statusCode: faults[code].status,
  headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
  body: JSON.stringify(envelope({ code, message, docsUrl: docsUrlOf(code) })),
});
