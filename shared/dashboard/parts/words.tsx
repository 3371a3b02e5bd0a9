import type { ComponentChildren } from 'preact';
import { toast } from './toast.tsx';

const inZone = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const inZoneWithSeconds = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const numbers = new Intl.NumberFormat('en');

/** A time in the viewer's zone; UTC when pointed at. */
export const Time = ({
  at,
  isExact = false,
}: {
  readonly at: string | null | undefined;
  readonly isExact?: boolean;
}) =>
  at ? (
    <time dateTime={at} title={at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}>
      {(isExact ? inZoneWithSeconds : inZone).format(new Date(at))}
    </time>
  ) : (
    <span class="quiet">–</span>
  );

/** The recipient of a message of a campaign, which its sender keeps, or of one to a person who was erased. */
export const notStored = 'Not stored';

/** A number with its thousands grouped. */
export const grouped = (value: number): string => numbers.format(value);

/** A share of 100, with its sign; a dash where there is nothing that it could be a share of. */
export const percent = (value: number | undefined): string =>
  value === undefined ? '–' : `${value.toFixed(value > 0 && value < 10 ? 1 : 0)} %`;

/** What a webhook's server did. Without an answer, the status code of an attempt is 0. */
export const answered = (statusCode: number): string => (statusCode === 0 ? 'no answer' : `answered ${statusCode}`);

/** `messages:send` and `sim_card` as words. */
export const sentence = (name: string): string => {
  const text = name.replace(/[_-]+/g, ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const copyText = async (text: string, onCopied?: () => void): Promise<void> => {
  await navigator.clipboard.writeText(text).then(
    () => {
      toast('Copied');
      onCopied?.();
    },
    () => toast('Your browser does not allow copying. Select the text instead.', 'bad'),
  );
};

interface CopyProps {
  readonly text: string;
  readonly what: string;
  readonly onCopied?: () => void;
}

export const CopyButton = ({ text, what, onCopied }: CopyProps) => (
  <button
    type="button"
    class="icon"
    aria-label={`Copy ${what}`}
    title={`Copy ${what}`}
    onClick={() => copyText(text, onCopied)}
  >
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path
        d="M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z"
        fill="none"
        stroke="currentColor"
        stroke-width="1.4"
        stroke-linejoin="round"
      />
    </svg>
  </button>
);

/** An id or a key: monospaced, with a button that copies it. */
export const Id = ({ value, what = 'id' }: { readonly value: string; readonly what?: string }) => (
  <span class="id">
    <code>{value}</code>
    <CopyButton text={value} what={what} />
  </span>
);

const kinds = {
  good: /^(sent|delivered|opened|clicked|read|succeeded|active|completed|created|accepted|approved|success|enforced|enabled|2xx)$/,
  bad: /^(failed|bounced|rejected|complained|error|refused|frozen|disabled|blocked|revoked|5xx|4xx)$/,
  waiting: /^(queued|sending|pending|processing|waiting|open|scheduled|held|paused|quarantined)$/,
} as const;

type Kind = keyof typeof kinds | 'plain';

const kindOf = (status: string): Kind => {
  for (const kind of ['good', 'bad', 'waiting'] as const) if (kinds[kind].test(status)) return kind;
  return 'plain';
};

const shapes: Readonly<Record<Kind, string>> = {
  good: 'M2.5 6.5 5 9l4.5-6',
  bad: 'M3 3l6 6M9 3 3 9',
  waiting: 'M6 2.2a3.8 3.8 0 1 0 0 7.6a3.8 3.8 0 1 0 0-7.6M6 4v2.2l1.6 1',
  plain: 'M3 6h6',
};

/** A status as a word with a shape. */
export const Status = ({ of, kind = kindOf(of.toLowerCase()) }: { readonly of: string; readonly kind?: Kind }) => (
  <span class={`status ${kind}`}>
    <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      <path d={shapes[kind]} fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" />
    </svg>
    {sentence(of)}
  </span>
);

/** Names and values of one thing. A row without a value is left out. */
export const Facts = ({ rows }: { readonly rows: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {rows
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
