import type { AccountSettings } from '../accounts/account.ts';
import type {
  HttpGatewaySettings,
  SmsProviderSettings,
  WhatsappProviderSettings,
} from '../accounts/provider-settings.ts';

/** A deployment's settings for one channel. */
export interface TextDeployment {
  /** The kind of provider of accounts that have chosen none; `none` where there is none. */
  readonly provider: string;
  /** The URL of the simulated providers; undefined or empty without them. */
  readonly simulatorUrl: string | undefined;
}

/** The settings of an account's sms provider; the simulator is an ordinary HTTP gateway. */
export type SmsSettings = Exclude<SmsProviderSettings, { readonly kind: 'simulator' }> & {
  /** True for the deployment's own simulator, which may have a private address. */
  readonly isSimulator?: true;
};

/** How an account's WhatsApp is reached, and how its callbacks are verified; the simulator plays Meta. */
export type MetaSettings = Extract<WhatsappProviderSettings, { readonly kind: 'meta' }> & {
  /** The Graph API with its version, without a slash at the end. */
  readonly graphUrl: string;
};

/** Finds the settings of an account's provider; undefined when it has none. */
export type FindSmsSettings = (account: Pick<AccountSettings, 'sms'>) => SmsSettings | undefined;
export type FindMetaSettings = (account: Pick<AccountSettings, 'whatsapp'>) => MetaSettings | undefined;

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
  inbound: { from: '/from', text: '/text', id: '/id' },
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

/** An account's sms provider, from its settings or else the deployment's; undefined when it has none. */
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

/** An account's WhatsApp provider; undefined when it has none. */
export const metaSettingsOf = (
  { whatsapp }: Pick<AccountSettings, 'whatsapp'>,
  { provider, simulatorUrl }: TextDeployment,
): MetaSettings | undefined => {
  const chosen = whatsapp.provider ?? { kind: provider };
  if ('appSecret' in chosen) return { ...chosen, graphUrl };
  return chosen.kind === 'simulator' && simulatorUrl ? metaSimulator(simulatorUrl) : undefined;
};
