import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { newAccountSettings } from '../../../shared/accounts/account.ts';
import { metaSettingsOf, smsSettingsOf } from '../../../shared/messages/text-settings.ts';
import { pinnedRequest } from '../../../shared/providers/http/pinned-request.ts';
import { httpSms } from '../../../shared/providers/text/http-sms.ts';
import { metaWhatsapp } from '../../../shared/providers/text/meta-whatsapp.ts';
import { listenLocally } from '../listen-locally.ts';
import { serveLocally } from './local-server.ts';
import { openPhones, type PhonesOptions } from './phones.ts';

export interface Report {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A fake API that receives notifications. It answers with these statuses in order, then with 200. */
export const startApi = async (statuses: number[] = []) => {
  const reports: Report[] = [];
  const server = createServer(async (request, response) => {
    const { url = '', headers } = request;
    reports.push({ path: url, headers, body: await readText(request) });
    response.writeHead(statuses.shift() ?? 200).end();
  });
  const { url, close } = await listenLocally(server);
  onTestFinished(close);
  return { url, reports };
};

/** Phones for the running test, on their own server. */
export const startTestPhones = async (options: Omit<PhonesOptions, 'takeReply'> & Partial<PhonesOptions>) => {
  const phones = openPhones({ simulatorDelayMs: 1, takeReply: async () => 200, ...options });
  const server = await serveLocally(phones.routes, 0);
  const close = async () => {
    await server.close();
    phones.close();
  };
  onTestFinished(close);
  return { url: `http://localhost:${server.port}`, close };
};

/** The real adapters of texts, connected to the simulator by its settings. */
export const providersAt = (simulatorUrl: string) => {
  const account = newAccountSettings('Test');
  const deployment = { provider: 'simulator', simulatorUrl };
  const request = pinnedRequest({ isAllowed: () => true });
  const [sms, whatsapp] = [smsSettingsOf(account, deployment), metaSettingsOf(account, deployment)];
  if (sms?.kind !== 'http' || !whatsapp) throw new Error('there is no simulator');
  return {
    sms: httpSms(sms, { sender: 'Shop', request }),
    whatsapp: metaWhatsapp(whatsapp, { request }),
    whatsappSettings: whatsapp,
    smsSettings: sms,
  };
};

/** The answer of `GET /texts`. */
export const readTexts = async (url: string): Promise<unknown> => (await fetch(`${url}/texts`)).json();
