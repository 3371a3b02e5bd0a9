import { docsUrlOf, Fault } from '../kit/fault.ts';
import { faults } from './faults.ts';
import { failureStatus, retryHeadersOf } from './retry-after.ts';
import { envelope } from './surface.ts';

/** The answer that refuses what no endpoint with a contract takes. */
export const faultReply = ({ code, message }: Fault, headers: Readonly<Record<string, string>> = {}) => ({
  statusCode: faults[code].status,
  headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
  body: JSON.stringify(envelope({ code, message, docsUrl: docsUrlOf(code) })),
});

/** The answer to an error that is not the caller's: a 500, or a 503 where a retry may pass, without details. */
export const failureReply = (thrown: unknown, requestId: string) => {
  const failed = new Fault('internal_error', `Unexpected server error. Request id: ${requestId}`);
  return { ...faultReply(failed, retryHeadersOf(thrown)), statusCode: failureStatus(thrown) };
};
