import type { Trigger } from './moves.ts';

/** The effect of one of Meta's error codes on a message. */
interface MetaMeaning {
  /** Our code, the message's `failureCode`. */
  readonly code: string;
  /** Meta may accept the message after this delay. */
  readonly retryAfterSeconds?: number;
  /** Meta could have delivered it, and chose not to. */
  readonly isRejection?: true;
}

const soonSeconds = 1;

/**
 * Meta's error codes (WhatsApp Business Platform, "Error codes"). Codes decide, never titles or texts, as Meta asks for.
 */
const meanings: Readonly<Record<number, MetaMeaning>> = {
  // The recipient.
  131026: { code: 'undeliverable' },
  131047: { code: 'window_closed' },
  131049: { code: 'held_back', isRejection: true },
  130472: { code: 'recipient_in_experiment', isRejection: true },
  131050: { code: 'recipient_opted_out', isRejection: true },
  131021: { code: 'recipient_is_sender' },
  130497: { code: 'country_restricted', isRejection: true },
  // Too much at once.
  4: { code: 'throttled', retryAfterSeconds: soonSeconds },
  80007: { code: 'throttled', retryAfterSeconds: soonSeconds },
  80008: { code: 'throttled', retryAfterSeconds: soonSeconds },
  130429: { code: 'throttled', retryAfterSeconds: soonSeconds },
  131056: { code: 'throttled', retryAfterSeconds: 6 },
  // Meta itself.
  1: { code: 'provider_error', retryAfterSeconds: soonSeconds },
  2: { code: 'provider_error', retryAfterSeconds: soonSeconds },
  131000: { code: 'provider_error', retryAfterSeconds: soonSeconds },
  131016: { code: 'provider_error', retryAfterSeconds: soonSeconds },
  131057: { code: 'provider_error', retryAfterSeconds: 60 },
  133004: { code: 'provider_error', retryAfterSeconds: 60 },
  // The sender: an operator must fix the setup.
  131048: { code: 'sender_paused', isRejection: true },
  368: { code: 'sender_blocked', isRejection: true },
  131031: { code: 'sender_locked' },
  131042: { code: 'sender_unpaid' },
  131037: { code: 'sender_name_unapproved' },
  131045: { code: 'sender_unregistered' },
  133010: { code: 'sender_unregistered' },
  33: { code: 'sender_unknown' },
  0: { code: 'access_denied' },
  3: { code: 'access_denied' },
  10: { code: 'access_denied' },
  190: { code: 'access_denied' },
  131005: { code: 'access_denied' },
  // Templates.
  132000: { code: 'template_parameters_mismatch' },
  132001: { code: 'template_missing' },
  132005: { code: 'template_too_long' },
  132007: { code: 'template_policy', isRejection: true },
  132012: { code: 'template_parameters_mismatch' },
  132015: { code: 'template_paused' },
  132016: { code: 'template_disabled' },
  132018: { code: 'template_parameters_mismatch' },
  // Our request is invalid to Meta.
  100: { code: 'invalid_parameter' },
  131008: { code: 'invalid_parameter' },
  131009: { code: 'invalid_parameter' },
  131051: { code: 'invalid_parameter' },
};

/** Meta's range for permission errors. */
const permissions = '200 to 299';
const isPermission = (code: number): boolean => code >= 200 && code <= 299;

/** What a code means; undefined when it is not in the table. */
export const metaMeaning = (code: number): MetaMeaning | undefined =>
  meanings[code] ?? (isPermission(code) ? { code: 'access_denied' } : undefined);

/** The sender, or the access to it: Meta refuses every message until a person acts. */
export const isOfSender = ({ code }: MetaMeaning): boolean => code === 'access_denied' || /^sender_/.test(code);

/** Meta takes no more at this rate. */
export const isOfRate = ({ code }: MetaMeaning): boolean => code === 'throttled';

/** Each of our codes with those of Meta that it stands for. */
export const codesOfMeta = (): readonly (readonly [code: string, numbers: readonly string[]])[] =>
  [...Map.groupBy(Object.entries(meanings), ([, { code }]) => code)].map(
    ([code, those]) =>
      [code, [...those.map(([meta]) => meta), ...(code === 'access_denied' ? [permissions] : [])]] as const,
  );

/** Our code for one that is not in the table. */
export const unknownMetaCode = (code: number): string => `meta_${code}`;

interface MetaFailure {
  readonly trigger: Extract<Trigger, 'deliveryFailed' | 'contentRejected'>;
  readonly code: string;
  /** Whether Meta refuses every message of the sender. */
  readonly concernsSender: boolean;
}

/** What became of a message that Meta accepted and then reported as failed with this code. */
export const metaFailure = (code: number): MetaFailure => {
  const meaning = metaMeaning(code);
  return {
    trigger: meaning?.isRejection ? 'contentRejected' : 'deliveryFailed',
    code: meaning?.code ?? unknownMetaCode(code),
    concernsSender: meaning !== undefined && isOfSender(meaning),
  };
};
