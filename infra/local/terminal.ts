import { durationWords } from './duration.ts';
import type { Answered } from './http-api.ts';
import type { LoggedFacts } from './logged-facts.ts';
import type { Skipped } from './time-skip.ts';

/** The content of `stack.json` that people read. */
export interface Ready {
  readonly apiBaseUrl: string;
  readonly checkoutBaseUrl: string;
  readonly adminBaseUrl: string;
  readonly dashboardUrl?: string | undefined;
  readonly dashboardLoginUrl?: string | undefined;
  readonly docsUrl: string;
  readonly inboxUrl: string;
  readonly accountId: string;
  readonly keys: { readonly messaging: string; readonly checkoutSecretTest: string };
}

/** An answered request, with what the log of its function says of it. */
export type AnsweredRequest = Answered & LoggedFacts;

interface TerminalOptions {
  readonly write: (text: string) => void;
  readonly isTty: boolean;
  /** One JSON object a line. */
  readonly isJson: boolean;
  /** No request log. */
  readonly isQuiet: boolean;
  /** `NO_COLOR`, as on https://no-color.org */
  readonly noColor: string | undefined;
  readonly clock?: () => number;
}

const colors = { dim: 2, red: 31, green: 32, yellow: 33, cyan: 36, bold: 1 } as const;
type Color = keyof typeof colors;

const colorOf = (status: number): Color => (status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green');

/** What `npm start` prints: its steps, one block when it is ready, then a line for each request. */
export const openTerminal = ({
  write,
  isTty,
  isJson,
  isQuiet,
  noColor = '',
  clock = () => performance.now(),
}: TerminalOptions) => {
  const hasColor = isTty && !isJson && noColor === '';
  const paint = (color: Color, text: string): string => (hasColor ? `\u001b[${colors[color]}m${text}\u001b[0m` : text);
  const print = (line: string): void => write(`${line}\n`);
  const event = (kind: string, fields: object): void => print(JSON.stringify({ event: kind, ...fields }));
  const beganMs = clock();
  let isReady = false;
  let open: { readonly label: string; readonly sinceMs: number } | undefined;

  const secondsSince = (ms: number): string => `${((clock() - ms) / 1_000).toFixed(1)} s`;

  /** On a terminal the step under way stands on the last line, and is completed in place. */
  const endStep = (): void => {
    if (!open) return;
    if (isTty && !isJson)
      write(`\r\u001b[2K${paint('green', '✓')} ${open.label} ${paint('dim', secondsSince(open.sinceMs))}\n`);
    open = undefined;
  };

  return {
    step: (label: string): void => {
      endStep();
      open = { label, sinceMs: clock() };
      if (isJson) event('step', { label });
      else write(isTty ? `${paint('dim', '…')} ${label}` : `${label}…\n`);
    },

    notice: (text: string): void => {
      endStep();
      if (isJson) event('notice', { text });
      else print(text);
    },

    ready: (facts: Ready, dataDirectory: string): void => {
      endStep();
      isReady = true;
      if (isJson) {
        event('ready', facts);
        return;
      }
      const text = blockOf(facts, { dataDirectory, took: secondsSince(beganMs), paint });
      print(text);
      if (!isQuiet) print(paint('dim', 'Requests appear below. Turn this off with --quiet.'));
    },

    skipped: (skipped: Skipped): void => {
      if (isJson) event('skip', skipped);
      else print(`${paint('dim', timeOf(skipped.now))}  ${paint('cyan', 'SKIP')}    ${skipWords(skipped)}`);
    },

    request: ({ functionName, ...asked }: AnsweredRequest): void => {
      const { at, method, path, status, durationMs, accountId, errorCode, ignored } = asked;
      // The first requests seed the demo account.
      if (isQuiet || !isReady) return;
      if (isJson) {
        event('request', asked);
        return;
      }
      const columns = [
        paint('dim', timeOf(at)),
        paint('bold', method.padEnd(6)),
        paint(colorOf(status), String(status)),
        paint('dim', `${durationMs} ms`.padStart(8)),
        path,
        ...(accountId ? [paint('dim', shortId(accountId))] : []),
        ...(errorCode ? [paint(colorOf(status), errorCode)] : []),
        ...(ignored ? [paint('yellow', `ignored: ${ignored.join(', ')}`)] : []),
      ];
      print(columns.join('  '));
    },
  };
};

const timeOf = (at: string): string => new Date(at).toLocaleTimeString('en-GB');

/** `2 hours skipped: it is 2026-11-24T10:00:00Z. Due: 3 schedules, 1 job, 0 expired items.` */
export const skipWords = ({ now, skippedSeconds, due }: Skipped): string => {
  const counts = [
    counted(due.schedules, 'schedule'),
    counted(due.jobs, 'job'),
    counted(due.expiredItems, 'expired item'),
  ];
  return `${durationWords(skippedSeconds)} skipped: it is ${now.replace(/\.\d+/, '')}. Due: ${counts.join(', ')}.`;
};

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The end of an id: the beginnings of ids that were made in one minute are alike. */
const shortId = (id: string): string => `…${id.slice(-6)}`;

interface Block {
  readonly dataDirectory: string;
  readonly took: string;
  paint(color: Color, text: string): string;
}

const blockOf = (facts: Ready, { dataDirectory, took, paint }: Block): string => {
  const { apiBaseUrl, checkoutBaseUrl, adminBaseUrl, dashboardUrl, dashboardLoginUrl, docsUrl, inboxUrl, keys } = facts;
  const rows = (pairs: readonly (readonly [string, string | undefined])[]): string[] =>
    pairs.flatMap(([name, value]) => (value ? [`  ${paint('dim', name.padEnd(11))}${value}`] : []));
  const json = "-H 'Content-Type: application/json'";
  const session = '{"amountMinor":600000,"currency":"BDT","description":"Two books","metadata":{"orderId":"1042"}}';
  const mail = '{"channel":"email","to":"ada@example.com","subject":"Hello","text":"It works."}';
  const command = (title: string, line: string): string[] => ['', `  ${paint('dim', `# ${title}`)}`, `  ${line}`];
  return [
    '',
    `${paint('green', paint('bold', `Ready in ${took}.`))} Data is kept in ${dataDirectory}. Ctrl-C stops everything.`,
    '',
    ...rows([
      ['Dashboard', dashboardLoginUrl ?? dashboardUrl],
      ['Inbox', inboxUrl],
      ['Phones', `${inboxUrl}/phones`],
      ['Docs', docsUrl],
    ]),
    '',
    ...rows([
      ['Messaging', apiBaseUrl],
      ['Checkout', `${checkoutBaseUrl}/v1`],
      ['Admin', adminBaseUrl],
    ]),
    '',
    ...rows([
      ['Account', facts.accountId],
      ['mk_ key', keys.messaging],
      ['sk_ key', keys.checkoutSecretTest],
      ['All keys', `${dataDirectory}/stack.json`],
    ]),
    ...command(
      'Send an email, then open the inbox',
      `curl -s ${apiBaseUrl}/messages -H 'X-API-Key: ${keys.messaging}' ${json} -d '${mail}'`,
    ),
    ...command(
      'Create a checkout session, then open the url in the response (the amount decides the outcome: 1001 is declined)',
      `curl -s ${checkoutBaseUrl}/v1/checkout-sessions -H 'Authorization: Bearer ${keys.checkoutSecretTest}' ${json} -d '${session}'`,
    ),
    ...command('List what your webhooks receive', `curl -s ${apiBaseUrl}/events -H 'X-API-Key: ${keys.messaging}'`),
    '',
    '  npm run trigger plays notifications of providers, npm run listen shows webhooks, npm run skip moves the clock; each has --help.',
    '',
  ].join('\n');
};
