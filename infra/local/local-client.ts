import { region } from './emulators/json-service.ts';

/** The settings of an SDK client that talks to one of the emulators. */
export const localClient = (endpoint: string) => ({
  endpoint,
  region,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});
