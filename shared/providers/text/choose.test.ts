import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localEndpoint } from '../../../infra/local/local-client.ts';
import { type AccountSettings, newAccountSettings } from '../../accounts/account.ts';
import { openAwsService } from '../../aws/aws-service.ts';
import type { TextDeployment } from '../../messages/text-settings.ts';
import { isPublicAddress } from '../../webhooks/public-address.ts';
import { pinnedRequest } from '../http/pinned-request.ts';
import { type Receiver, startReceiver } from '../webhook/receiver-fixture.ts';
import { smsProviderFor, whatsappProviderFor } from './choose.ts';

const text = { messageId: 'm', accountId: 'a', to: '+8801700000000', text: 'Hi.', reportUrl: 'https://x.example/' };
const plain = newAccountSettings('Test');

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver((response) => response.end('{}'));
});
afterAll(() => receiver.close());

const smsFor = (deployment: TextDeployment, sms: Partial<AccountSettings['sms']> = {}) => {
  const here = `http://127.0.0.1:${receiver.port}`;
  const choose = smsProviderFor({
    deployment,
    aws: openAwsService('sms-voice', localEndpoint(here)),
    configurationSetName: 'deployments',
    request: pinnedRequest({ isAllowed: isPublicAddress }),
    requestAnywhere: pinnedRequest({ isAllowed: () => true }),
  });
  return choose({ sms: { ...plain.sms, ...sms } });
};
const lastBody = (): unknown => JSON.parse(receiver.received.at(-1)?.body ?? '');

describe('the provider of sms', () => {
  it('is AWS with the configuration set of the deployment, unless the account has its own', async () => {
    const deployment = { provider: 'aws', simulatorUrl: undefined };
    await smsFor(deployment, { sender: 'SHOP' })?.send(text);
    expect(lastBody()).toMatchObject({ OriginationIdentity: 'SHOP', ConfigurationSetName: 'deployments' });
    await smsFor(deployment, { provider: { kind: 'aws', configurationSetName: 'mine' } })?.send(text);
    expect(lastBody()).toMatchObject({ ConfigurationSetName: 'mine' });
  });

  it('is the simulator when the deployment sets it', async () => {
    const provider = smsFor({ provider: 'simulator', simulatorUrl: `http://127.0.0.1:${receiver.port}` });
    expect(provider?.takesReference).toBe(true);
    await provider?.send(text);
    expect(lastBody()).toEqual({ to: text.to, from: 'masked', text: 'Hi.', messageId: 'm', reportUrl: text.reportUrl });
  });

  it('is the account’s own gateway only if its address may be called', async () => {
    const provider = smsFor(
      { provider: 'none', simulatorUrl: undefined },
      {
        provider: {
          kind: 'http',
          url: `http://127.0.0.1:${receiver.port}/`,
          method: 'POST',
          headers: {},
          body: '',
          takesReference: false,
          answer: {},
        },
      },
    );
    const before = receiver.received.length;
    expect(await provider?.send(text)).toMatchObject({ kind: 'refused', code: 'provider_misconfigured' });
    expect(receiver.received).toHaveLength(before);
  });

  it('is undefined when the deployment has none', () => {
    expect(smsFor({ provider: 'none', simulatorUrl: undefined })).toBeUndefined();
    expect(smsFor({ provider: 'simulator', simulatorUrl: undefined })).toBeUndefined();
  });
});

describe('the provider of WhatsApp', () => {
  const request = pinnedRequest({ isAllowed: () => true });

  it('is the simulator of Meta where the deployment says so', async () => {
    const simulatorUrl = `http://127.0.0.1:${receiver.port}`;
    await whatsappProviderFor({ deployment: { provider: 'simulator', simulatorUrl }, request })(plain)?.send(text);
    expect(receiver.received.at(-1)?.url).toBe('/v24.0/100000000000001/messages');
  });

  it('is undefined when the deployment has none', () => {
    const deployment = { provider: 'none', simulatorUrl: undefined };
    expect(whatsappProviderFor({ deployment, request })(plain)).toBeUndefined();
  });
});
