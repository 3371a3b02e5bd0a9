import * as z from 'zod';
import { AwsError } from './json-service.ts';
import { jsonReply, type Routes } from './local-server.ts';

const wish = z.object({ SendingEnabled: z.boolean() });

/** Turns sending with a configuration set off and on, by SES v2's API. A restart of the stack turns all on. */
export const openSendingSwitches = () => {
  const off = new Set<string>();
  const routes: Routes = {
    'GET /v2/email/configuration-sets/{name}': (_, name) =>
      jsonReply(200, { ConfigurationSetName: name, SendingOptions: { SendingEnabled: !off.has(name) } }),
    'PUT /v2/email/configuration-sets/{name}/sending': async ({ body }, name) => {
      if (wish.parse(JSON.parse(await body())).SendingEnabled) off.delete(name);
      else off.add(name);
      return jsonReply(200, {});
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
