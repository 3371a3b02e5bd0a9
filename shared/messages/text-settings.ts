import type {
  AccountSettings,
  HttpGatewaySettings,
  SmsProviderSettings,
  WhatsappProviderSettings,
} from '../accounts/account.ts';

/** What a deployment has for one channel. */
export interface TextDeployment {
  /** The kind of provider of accounts that have chosen none; `none` where there is none. */
  readonly provider: string;
  /** Where the simulator of providers is; undefined or empty where there is none. */
  readonly simulatorUrl: string | undefined;
}

/** How the provider of an account's sms is reached; the simulator is a gateway over HTTP like others. */
export type SmsSettings = Exclude<SmsProviderSettings, { readonly kind: 'simulator' }> & {
  /** It is the deployment's own, and need not be on the public internet. */
  readonly isSimulator?: true;
};

/** How an account's WhatsApp is reached, and how its callbacks are verified; the simulator plays Meta. */
export type MetaSettings = Extract<WhatsappProviderSettings, { readonly kind: 'meta' }> & {
  /** The Graph API with its version, without a slash at the end. */
  readonly graphUrl: string;
};

/** Meta keeps a version for two years. */
const graphUrl = 'https://graph.facebook.com/v24.0';

const gatewaySimulator = (url: string): HttpGatewaySettings => ({
  kind: 'http',
  url: `${url}/sms`,
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: '{"to":"{{to}}","from":"{{from}}","text":"{{text}}","messageId":"{{messageId}}","reportUrl":"{{reportUrl}}"}',
  takesReference: true,
  answer: {
    accepted: { at: '/status', isOneOf: ['accepted'] },
    reference: '/id',
    code: '/code',
    reason: '/reason',
  },
  report: {
    delivered: { at: '/status', isOneOf: ['delivered'] },
    failed: { at: '/status', isOneOf: ['failed'] },
    rejected: { at: '/status', isOneOf: ['rejected'] },
    code: '/code',
    reason: '/reason',
  },
  inbound: { from: '/from', text: '/text' },
});

/** They protect nothing, so they are not secret. */
const metaSimulator = (url: string): MetaSettings => ({
  kind: 'meta',
  graphUrl: `${url}/v24.0`,
  phoneNumberId: '100000000000001',
  businessAccountId: '100000000000002',
  accessToken: 'simulator-access-token',
  appSecret: 'simulator-app-secret',
  verifyToken: 'simulator-verify-token',
});

/** How an account's sms leave, as its settings or else the deployment have it; undefined when there is no way. */
export const smsSettingsOf = (
  { sms }: Pick<AccountSettings, 'sms'>,
  { provider, simulatorUrl }: TextDeployment,
): SmsSettings | undefined => {
  const chosen = sms.provider ?? { kind: provider };
  switch (chosen.kind) {
    case 'aws':
      return { ...chosen, kind: 'aws' };
    case 'simulator':
      return simulatorUrl ? { ...gatewaySimulator(simulatorUrl), isSimulator: true } : undefined;
    case 'http':
      return 'url' in chosen ? chosen : undefined;
    default:
      return undefined;
  }
};

/** How an account's WhatsApp messages leave and how its news are read; undefined when there is no way. */
export const metaSettingsOf = (
  { whatsapp }: Pick<AccountSettings, 'whatsapp'>,
  { provider, simulatorUrl }: TextDeployment,
): MetaSettings | undefined => {
  const chosen = whatsapp.provider ?? { kind: provider };
  if ('appSecret' in chosen) return { ...chosen, graphUrl };
  return chosen.kind === 'simulator' && simulatorUrl ? metaSimulator(simulatorUrl) : undefined;
};
