import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { logAbout } from '../kit/log.ts';

/** Every line that is logged while a request is answered names the request. */
export const aboutRequest =
  <Event extends Pick<APIGatewayProxyEventV2, 'requestContext'>, Rest extends readonly unknown[], Answer>(
    answer: (event: Event, ...rest: Rest) => Promise<Answer>,
  ) =>
  (event: Event, ...rest: Rest): Promise<Answer> =>
    logAbout({ requestId: event.requestContext.requestId }, () => answer(event, ...rest));
