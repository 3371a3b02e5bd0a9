import { describe, expect, it } from 'vitest';
import { type AccountSettings, accountSettings, newAccountSettings } from '../accounts/account.ts';
import type { SmsProviderSettings, WhatsappProviderSettings } from '../accounts/provider-settings.ts';
import { metaSettingsOf, smsSettingsOf } from './text-settings.ts';

const simulatorUrl = 'http://localhost:8005';
const plain = newAccountSettings('Test');
const withSms = (provider: SmsProviderSettings | null): AccountSettings => ({
  ...plain,
  sms: { ...plain.sms, provider },
});
const withWhatsapp = (provider: WhatsappProviderSettings | null): AccountSettings => ({
  ...plain,
  whatsapp: { ...plain.whatsapp, provider },
});
const meta = {
  kind: 'meta',
  phoneNumberId: '1',
  businessAccountId: '2',
  accessToken: 'a',
  appSecret: 'b',
  verifyToken: 'c',
} as const;

describe('how sms leave', () => {
  it('is as the account has it, regardless of what the deployment has', () => {
    const aws = { kind: 'aws', configurationSetName: 'mine' } as const;
    expect(smsSettingsOf(withSms(aws), { provider: 'none', simulatorUrl: undefined })).toEqual(aws);
    expect(smsSettingsOf(withSms({ kind: 'simulator' }), { provider: 'aws', simulatorUrl })).toMatchObject({
      kind: 'http',
      url: 'http://localhost:8005/sms',
      takesReference: true,
      isSimulator: true,
    });
  });

  it('is as the deployment has it where the account has not chosen', () => {
    expect(smsSettingsOf(plain, { provider: 'aws', simulatorUrl: undefined })).toEqual({ kind: 'aws' });
    expect(smsSettingsOf(plain, { provider: 'simulator', simulatorUrl })).toMatchObject({ kind: 'http' });
  });

  it('is no way at all without a provider, and without a simulator where it was chosen', () => {
    expect(smsSettingsOf(plain, { provider: 'none', simulatorUrl })).toBeUndefined();
    expect(smsSettingsOf(plain, { provider: 'http', simulatorUrl })).toBeUndefined();
    expect(smsSettingsOf(plain, { provider: 'simulator', simulatorUrl: undefined })).toBeUndefined();
    expect(smsSettingsOf(withSms({ kind: 'simulator' }), { provider: 'aws', simulatorUrl: '' })).toBeUndefined();
  });

  it('may be a gateway of the account, never one whose host a message could choose', () => {
    const { sms } = accountSettings.shape;
    const gateway = (url: string) => sms.safeParse({ ...plain.sms, provider: { kind: 'http', url } });
    const parsed = gateway('https://user:pass@gateway.example:8443/v1/{{messageId}}?to={{to}}#x').data?.provider;
    expect(parsed).toMatchObject({ kind: 'http', method: 'POST', takesReference: false });
    for (const url of [
      'https://{{to}}/',
      'https://x.{{text}}',
      'https://{{from}}@x.example/',
      'ftp://x.example/',
      'https:///x',
    ]) {
      expect(gateway(url).success).toBe(false);
    }
  });
});

describe('how WhatsApp messages leave', () => {
  it('is Meta, as the account has it', () => {
    expect(metaSettingsOf(withWhatsapp(meta), { provider: 'none', simulatorUrl: undefined })).toEqual({
      ...meta,
      graphUrl: 'https://graph.facebook.com/v24.0',
    });
  });

  it('is the simulator of Meta where the account or the deployment says so and there is one', () => {
    const simulated = { kind: 'meta', graphUrl: 'http://localhost:8005/v24.0', appSecret: 'simulator-app-secret' };
    expect(metaSettingsOf(plain, { provider: 'simulator', simulatorUrl })).toMatchObject(simulated);
    expect(metaSettingsOf(withWhatsapp({ kind: 'simulator' }), { provider: 'none', simulatorUrl })).toMatchObject(
      simulated,
    );
    expect(metaSettingsOf(plain, { provider: 'simulator', simulatorUrl: undefined })).toBeUndefined();
    expect(metaSettingsOf(plain, { provider: 'none', simulatorUrl })).toBeUndefined();
  });
});
