import { Fault } from '../kit/fault.ts';
import { causeOf, log } from '../kit/log.ts';
import { docsUrlOf, faults } from './faults.ts';
import { failureStatus, retryHeadersOf } from './retry-after.ts';
import { envelope } from './surface.ts';

/** The answer that refuses what no endpoint with a contract takes. */
export const faultReply = ({ code, message }: Fault, headers: Readonly<Record<string, string>> = {}) => ({
  statusCode: faults[code].status,
  headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
  body: JSON.stringify(envelope({ code, message, docsUrl: docsUrlOf(code) })),
});

/** The same for a failure of ours, which is logged. */
export const failureReply = (thrown: unknown, requestId: string) => {
  log('error', 'request failed', causeOf(thrown));
  const failed = new Fault('internal_error', `Unexpected server error. Request id: ${requestId}`);
  return { ...faultReply(failed, retryHeadersOf(thrown)), statusCode: failureStatus(thrown) };
};
