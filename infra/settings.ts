import type { Node } from 'constructs';

/** The settings of a deployment, with their defaults. Set them as CDK context (`-c NAME=value`) or, for `npm start`, in the environment. */
export const settings = {
  LOG_LEVEL: 'info',
  /** The sender's address when the account's own domain is not verified. On AWS it must be a verified identity of SES. */
  PLATFORM_EMAIL: 'no-reply@platform.example',
  /** Seconds after which a send can no longer be running: more than any function's timeout. */
  SEND_GIVE_UP_SECONDS: '60',
  /** Seconds to wait for a report of an sms or whatsapp message that a provider may have accepted; at most 900. */
  TEXT_GIVE_UP_SECONDS: '900',
  /** Which addresses accounts may set as webhook targets and sms gateways: `public` ones only, or `any`. */
  WEBHOOK_TARGETS: 'public',
  /** Seconds before each retry of a webhook delivery, counted from the end of the previous attempt. */
  WEBHOOK_RETRY_DELAYS: '5,60,300,1800',
  /** Seconds until an open checkout session expires. */
  CHECKOUT_SESSION_TTL: '86400',
  /** Seconds until a pending test payment of the amount 1002 expires; at most 900. */
  SIM_TIMEOUT_SECONDS: '60',
  /** Base URLs that replace the payment gateways' own hosts, without a trailing slash. Empty: their own hosts. */
  SSLCOMMERZ_URL: '',
  BKASH_URL: '',
  /** The sms provider of accounts that have not chosen one: `aws`, `simulator` (on the local stack only), or `none`. */
  SMS_PROVIDER: 'aws',
  /** The same for WhatsApp messages, which require an account with Meta: `simulator` or `none`. */
  WHATSAPP_PROVIDER: 'none',
  /**
   * Concurrent runs that are reserved for sending messages and for checkout, of the Lambda quota of the account; 0: none. Workers get what
   * their queues may start in addition. 500 fits a quota of 1,000.
   */
  RESERVED_CONCURRENCY: '0',
  /** Who is told of alarms, by email. Empty: nobody. */
  ALARM_EMAIL: '',
  /** Read and write units a second that the table of the stage `prod` can take from the beginning: `12000,4000` is what a new table has. Empty: that. */
  WARM_THROUGHPUT: '',
  /** The base URL of links in mails, without a trailing slash. Empty: the API's own endpoint. */
  PUBLIC_BASE_URL: '',
} as const;

export type SettingName = keyof typeof settings;

export const settingOf = (node: Pick<Node, 'tryGetContext'>, name: SettingName): string => {
  const value = String(node.tryGetContext(name) ?? settings[name]);
  const format = formats[name];
  if (format && !format.test(value)) throw new Error(`The setting ${name} is not valid: ${value}`);
  return value;
};

/** The settings that would do harm in another form. */
const formats: Partial<Record<SettingName, RegExp>> = {
  RESERVED_CONCURRENCY: /^\d{1,5}$/,
  ALARM_EMAIL: /^$|^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/,
  WARM_THROUGHPUT: /^$|^\d+,\d+$/,
};
