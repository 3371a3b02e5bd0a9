import type { AwsPlace } from '../../shared/aws/signed-post.ts';
import { region } from './emulators/json-service.ts';

/** The settings of an SDK client that talks to one of the emulators. */
export const localClient = (endpoint: string) => ({
  endpoint,
  region,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

/** One of the emulators, as our own callers of services take it. */
export const localPlace = (url: string): AwsPlace => {
  const { endpoint, ...caller } = localClient(url);
  return { url: endpoint, ...caller };
};
