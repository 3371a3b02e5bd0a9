import { region } from './local-region.ts';

/**
 * The environment of every function beside its own settings. The AWS SDK reads its endpoints from there, so product code knows nothing
 * of the local stack.
 */
export const environmentFor = (endpoints: Readonly<Record<string, string>>): Record<string, string> => ({
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  // The stack must not use the developer's own AWS configuration.
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  // The inbox server also simulates the providers of sms and WhatsApp.
  SIMULATOR_URL: endpoints['ses'] ?? '',
  ...Object.fromEntries(
    Object.entries(endpoints).map(([service, url]) => [`AWS_ENDPOINT_URL_${service.toUpperCase()}`, url]),
  ),
});
