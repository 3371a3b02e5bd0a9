import { region } from './intrinsics.ts';

/**
 * What a function finds in its environment beside its own settings. The AWS SDK reads endpoints from there, so product code holds no word
 * about this machine.
 */
export const environmentFor = (endpoints: Readonly<Record<string, string>>): Record<string, string> => ({
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  // What the person at this machine has set up for AWS is none of the stack's business.
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  // Providers of sms and WhatsApp are played where caught mails are shown.
  SIMULATOR_URL: endpoints['ses'] ?? '',
  ...Object.fromEntries(
    Object.entries(endpoints).map(([service, url]) => [`AWS_ENDPOINT_URL_${service.toUpperCase()}`, url]),
  ),
});
