/** Limits and answers of the platform in front of the functions. CommonMark. */

interface PlatformAnswer {
  readonly status: number;
  readonly body: string;
  readonly condition: string;
  readonly remedy: string;
}

/** API Gateway answers these before our code runs, or when it does not answer. They carry no error code. */
export const platformAnswers: readonly PlatformAnswer[] = [
  {
    status: 413,
    body: '{"message":"Request Entity Too Large"}',
    condition:
      'The request body is larger than 10 MB (10,485,760 bytes). On AWS, a smaller body is also rejected if it makes the Lambda invocation larger than 6 MB (6,291,556 bytes). The local stack takes 32 MB, or 10 MB with `--aws-limits`.',
    remedy: 'Send a smaller body: fewer or smaller attachments, or links to the files.',
  },
  {
    status: 429,
    body: '{"message":"Too Many Requests"}',
    condition: 'There were more requests a second than this route takes, of all callers together.',
    remedy: 'Retry with exponential backoff and jitter.',
  },
  {
    status: 503,
    body: '{"message":"Service Unavailable"}',
    condition:
      'There was no response within 30 seconds, or no instance of the function was free. The request may still take effect.',
    remedy:
      'Retry with exponential backoff and jitter. Retry a write with its original Idempotency-Key, so that it takes effect once.',
  },
  {
    status: 500,
    body: '{"message":"Internal Server Error"}',
    condition: 'The function was stopped before it could respond. The request may still take effect.',
    remedy:
      'Retry with exponential backoff and jitter. Retry a write with its original Idempotency-Key, so that it takes effect once.',
  },
];

/** The limit of attachments compared with those of the platform. */
export const sizeLimits =
  'Attachments may decode to 7 MB (7,340,032 bytes) in total; more is rejected with `attachment_too_large`. In base64 they are 9.33 MB. A whole request body may be 10 MB, so about 700 KB remain for the other fields. API Gateway itself rejects a larger body, with status 413 and no `error` (see `/docs/errors#api-gateway`). On AWS, Lambda accepts 6 MB for each invocation: about 4.5 MB of decoded attachments. Files that were uploaded before (`POST /attachments`) do not count towards the body.';
