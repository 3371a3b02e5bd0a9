import type { AwsEndpoint } from '../../shared/aws/signed-post.ts';
import { region } from './local-region.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** The settings of an SDK client that talks to one of the emulators. */
export const localClient = (endpoint: string) => ({
  endpoint,
  region,
  credentials,
  // Otherwise, while the stack's clock is ahead of the machine's, each refusal would look like one of a wrong clock, and be tried again.
  disableClockSkewCorrection: true,
});

/** One of the emulators, as our own callers of services take it. */
export const localEndpoint = (url: string): AwsEndpoint => ({ url, region, credentials });
