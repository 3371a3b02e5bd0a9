import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { docsUrlOf, faults } from './faults.ts';
import { envelope, type Surface } from './surface.ts';

type Handler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/** A page that only the callers of this surface see. */
export const guarded =
  (surface: Surface<object>, show: Handler): Handler =>
  async (event) => {
    const identity = await surface.identify(event, Date.now());
    if (!('refusal' in identity)) {
      const answer = await show(event);
      return { ...answer, headers: { ...answer.headers, ...identity.headers } };
    }
    const { code, message } = identity.refusal;
    const body = JSON.stringify(envelope({ code, message, docsUrl: docsUrlOf(code) }));
    const headers = { 'Content-Type': 'application/json; charset=utf-8', ...identity.headers };
    return { statusCode: faults[code].status, headers, body };
  };
