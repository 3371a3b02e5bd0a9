import * as z from 'zod';
import { type Failure, failures } from './failures.ts';
import { metaFailure } from './meta-codes.ts';
import type { Trigger } from './moves.ts';

/** Meta reports what became of a message of ours. */
interface StatusNews {
  readonly kind: 'status';
  readonly account: string;
  readonly message: string;
  readonly trigger: Trigger;
  readonly failure?: Failure;
  /** Meta refuses every message of the sender until a person acts. */
  readonly concernsSender?: boolean;
}

/** A recipient wrote to the account. A message without text, such as a picture, has an empty text here. */
interface InboundNews {
  readonly kind: 'inbound';
  readonly id: string;
  readonly from: string;
  readonly text: string;
  /** It stood on a button or in a list. */
  readonly isChosen: boolean;
  readonly atMs: number;
}

/** Meta's decision about a template. `status` is Meta's own. */
interface TemplateNews {
  readonly kind: 'template';
  readonly name: string;
  readonly language: string;
  readonly status: string;
  /** When Meta decided it; undefined where Meta does not say. */
  readonly atMs: number | undefined;
}

export type MetaNews = StatusNews | InboundNews | TemplateNews;

/** The business whose notifications count: Meta signs per app, and an app may serve several businesses. */
export interface MetaIdentity {
  readonly businessAccountId: string;
  readonly phoneNumberId: string;
}

/** A list that skips unexpected elements, because Meta adds new kinds without notice. */
const listOf = <Part>(part: z.ZodType<Part>) =>
  z
    .array(z.unknown())
    .default([])
    .transform((parts) => parts.flatMap((each) => part.safeParse(each).data ?? []));

/** Ours: `{account}:{message}`. Ids on the way to Meta and back stay as they are. */
const callbackData = z
  .string()
  .regex(/^[^:]+:[^:]+$/)
  .transform((text) => {
    const [account = '', message = ''] = text.split(':');
    return { account, message };
  });

const status = z.object({
  status: z.string(),
  biz_opaque_callback_data: callbackData,
  errors: listOf(
    z.object({
      code: z.coerce.number(),
      title: z.string().optional(),
      message: z.string().optional(),
      error_data: z.object({ details: z.string().optional() }).optional(),
    }),
  ),
});

const choice = z.object({ title: z.string() });

const written = z.object({
  id: z.string(),
  from: z.string().regex(/^\d{7,15}$/),
  timestamp: z.coerce.number(),
  type: z.string().optional().catch(undefined),
  text: z.object({ body: z.string() }).optional(),
  /** A quick reply: what stood on the button. */
  button: z.object({ text: z.string() }).optional(),
  /** A reply to a message with buttons or a list: what stood on the chosen one. */
  interactive: z
    .union([z.object({ button_reply: choice }), z.object({ list_reply: choice })])
    .transform((reply) => ('button_reply' in reply ? reply.button_reply : reply.list_reply).title)
    .optional()
    .catch(undefined),
});

const traffic = z.object({
  metadata: z.object({ phone_number_id: z.string() }),
  statuses: listOf(status),
  messages: listOf(written),
});

const decision = z.object({
  event: z.string(),
  message_template_name: z.string(),
  /** Meta's reference has `en-US` here, and `en_US` where templates are listed. */
  message_template_language: z.string().transform((language) => language.replaceAll('-', '_')),
});

/** Meta reports it at a template, and it is about how many the business has: this one’s state stays. */
const tooManyTemplates = 'LIMIT_EXCEEDED';

const notification = z.object({
  entry: listOf(
    z.object({
      id: z.string(),
      /** In seconds; Meta may call much later, and again. Coerced, `null` is zero. */
      time: z.coerce.number().positive().optional().catch(undefined),
      changes: listOf(z.object({ field: z.string(), value: z.unknown() })),
    }),
  ),
});

const triggers: ReadonlyMap<string, Trigger> = new Map([
  ['sent', 'providerAccepted'],
  ['delivered', 'deliveryConfirmed'],
  ['read', 'read'],
]);

const statusNews = ({
  status: reported,
  biz_opaque_callback_data: ids,
  errors,
}: z.output<typeof status>): StatusNews[] => {
  const trigger = triggers.get(reported);
  if (trigger) return [{ kind: 'status', ...ids, trigger }];
  if (reported !== 'failed') return [];
  const [error] = errors;
  const { code, ...ending } = error
    ? metaFailure(error.code)
    : { trigger: 'deliveryFailed' as const, code: failures.failedAtMeta.code, concernsSender: false };
  const reason = error?.error_data?.details ?? error?.message ?? error?.title ?? failures.failedAtMeta.reason;
  return [{ kind: 'status', ...ids, ...ending, failure: { code, reason } }];
};

/**
 * How WhatsApp names some phones, and their numbers: in Mexico with the 1 that mobile numbers had until 2020, in Brazil without the 9 that they have
 * since 2016.
 */
const renumbered: readonly (readonly [RegExp, string])[] = [
  [/^521(\d{10})$/, '52$1'],
  [/^(?<area>55\d{2})(?<own>[6-9]\d{7})$/, '$<area>9$<own>'],
];

/** The numbers of the phone that WhatsApp names so: its owner may be known by either form. */
const numbersOf = (from: string): string[] => [
  ...new Set([from, ...renumbered.map(([former, now]) => from.replace(former, now))]),
];

const inboundNews = ({ id, from, timestamp, text, button, interactive }: z.output<typeof written>): InboundNews[] =>
  numbersOf(from).map((number) => ({
    kind: 'inbound',
    id,
    from: `+${number}`,
    text: text?.body ?? button?.text ?? interactive ?? '',
    isChosen: text === undefined,
    atMs: timestamp * 1_000,
  }));

/** WhatsApp's own notice about a recipient, for example that their number has changed: they have written nothing. */
const isNotice = ({ type }: z.output<typeof written>): boolean => type === 'system';

/** What a webhook notification of Meta's reports to this business, in its order. Unknown kinds are skipped. */
export const metaNews = (document: unknown, { businessAccountId, phoneNumberId }: MetaIdentity): MetaNews[] => {
  const { entry = [] } = notification.safeParse(document).data ?? {};
  const changes = entry
    .filter(({ id }) => id === businessAccountId)
    .flatMap((each) => each.changes.map((change) => ({ ...change, time: each.time })));
  return changes.flatMap(({ field, value, time }): MetaNews[] => {
    if (field === 'messages') {
      const read = traffic.safeParse(value).data;
      if (read?.metadata.phone_number_id !== phoneNumberId) return [];
      return [
        ...read.messages.filter((each) => !isNotice(each)).flatMap(inboundNews),
        ...read.statuses.flatMap(statusNews),
      ];
    }
    const decided = field === 'message_template_status_update' ? decision.safeParse(value).data : undefined;
    if (!decided || decided.event === tooManyTemplates) return [];
    const { event, message_template_name: name, message_template_language: language } = decided;
    const atMs = time === undefined ? undefined : time * 1_000;
    return [{ kind: 'template', name, language, status: event, atMs }];
  });
};
