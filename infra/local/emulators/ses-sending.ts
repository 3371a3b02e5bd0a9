import * as z from 'zod';
import { AwsError } from './json-service.ts';
import type { Routes } from './local-server.ts';

const wish = z.object({ SendingEnabled: z.boolean() });

/** Turns sending with a configuration set off and on, by SES v2's API. A restart of the stack turns all on. */
export const openSendingSwitches = () => {
  const off = new Set<string>();
  const routes: Routes = {
    'GET /v2/email/configuration-sets/{name}': (_, name) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ConfigurationSetName: name, SendingOptions: { SendingEnabled: !off.has(name) } }),
    }),
    'PUT /v2/email/configuration-sets/{name}/sending': async ({ body }, name) => {
      if (wish.parse(JSON.parse(await body())).SendingEnabled) off.delete(name);
      else off.add(name);
      return { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' };
    },
  };
  return {
    routes,
    /** @throws AwsError while sending with this set is off */
    check: (configurationSetName: string | null): void => {
      if (configurationSetName !== null && off.has(configurationSetName))
        throw new AwsError(
          'ConfigurationSetSendingPausedException',
          `Email sending is disabled for configuration set <${configurationSetName}>.`,
        );
    },
  };
};
