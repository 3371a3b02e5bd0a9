import { dayMs } from '../../../shared/kit/time-units.ts';
import { assetRoutes } from '../inbox/assets.ts';
import { mailRoutes } from '../inbox/mails.ts';
import { noPermissions, type Permissions } from '../permissions.ts';
import { AwsError } from './json-service.ts';
import { type Routes, serveLocally } from './local-server.ts';
import type { Phones } from './phones.ts';
import { type PlayNotification, playRoutes } from './plays.ts';
import { type OnNotification, startPublisher } from './publisher.ts';
import type { Rate } from './rate.ts';
import { controlRoutes } from './ses-control.ts';
import { createSesFaults, type SesFault } from './ses-faults.ts';
import type { SesNotification } from './ses-notification.ts';
import { type MailPlay, playMail } from './ses-plays.ts';
import { type Action, queryEndpoint } from './ses-query.ts';
import { openSendingSwitches } from './ses-sending.ts';
import { simulate } from './ses-simulator.ts';
import { openMailStore } from './ses-store.ts';
import { readSubmission } from './ses-submission.ts';

export type { SesNotification } from './ses-notification.ts';

export interface SesOptions {
  /** Holds `ses.sqlite`; created if missing. */
  readonly dataDirectory: string;
  /** The first free one of these is used, else any free port. */
  readonly ports?: readonly number[];
  /** From accepting a mail to its notifications. */
  readonly simulatorDelayMs?: number;
  /** Receives every event of every mail, in order. Retried when it throws or rejects, also after a restart. */
  readonly onNotification?: OnNotification<SesNotification>;
  /** The sending rate; without one, there is no limit. */
  readonly rate?: Rate;
  readonly permissions?: Permissions;
  /** Additional routes of the inbox server. */
  readonly routes?: Routes;
  /** Plays a notification of a text. */
  readonly playText?: Phones['play'];
}

export interface Ses {
  readonly url: string;
  /** The next `times` mails fail with this fault; 0 clears it. */
  failNext(fault: SesFault, times?: number): void;
  /** Publishes this event of a mail now. */
  readonly play: PlayNotification<MailPlay>;
  close(): Promise<void>;
}

/** The emails per second of an account that has left the sandbox. */
export const sesSendRate = 14;

/** An SES that stores its mails: SES v1's API at `POST /`, the mails as JSON at `/store`, the inbox at `/`. */
export async function startSes(options: SesOptions): Promise<Ses> {
  const {
    dataDirectory,
    ports = [0],
    simulatorDelayMs = 200,
    onNotification,
    rate,
    permissions = noPermissions,
    routes: others,
    playText = async () => false,
  } = options;
  const store = openMailStore(dataDirectory);
  const faults = createSesFaults();
  const sending = openSendingSwitches();
  const publisher = onNotification && startPublisher(store, onNotification);

  const sendRawEmail = async (form: URLSearchParams) => {
    await faults.meet();
    sending.check(form.get('ConfigurationSetName'));
    if (rate?.take() === false) throw new AwsError('Throttling', 'Maximum sending rate exceeded.');
    const mail = await readSubmission(form, new Date());
    const { messageId, at, tags, configurationSetName, raw, content } = mail;
    const dueAtMs = at.getTime() + simulatorDelayMs;
    const outgoing = { messageId, notifications: simulate(mail, new Date(dueAtMs)), failures: 0, dueAtMs };
    const caught = { messageId, ...content, at: at.toISOString(), tags, configurationSetName };
    store.add(caught, raw, publisher && outgoing);
    publisher?.schedule(outgoing);
    return { MessageId: messageId };
  };

  const getSendQuota = () => ({
    Max24HourSend: '50000',
    MaxSendRate: String(sesSendRate),
    SentLast24Hours: String(store.countSince(new Date(Date.now() - dayMs).toISOString())),
  });

  const actions = new Map<string, Action>([
    ['SendRawEmail', sendRawEmail],
    ['GetSendQuota', getSendQuota],
  ]);
  const play: Ses['play'] = async (what, id) => {
    const mail = store.find(id) ?? store.findTagged(id);
    if (mail) await onNotification?.(playMail(what, mail, new Date()), mail.messageId);
    return mail !== undefined;
  };

  const routes = {
    'POST /': queryEndpoint(actions, permissions),
    ...mailRoutes(store),
    ...assetRoutes,
    ...controlRoutes(store, faults),
    ...sending.routes,
    ...playRoutes({ mail: play, text: playText }),
  };
  const server = await serveLocally({ ...routes, ...others }, ...ports);
  return {
    url: `http://localhost:${server.port}`,
    failNext: faults.failNext,
    play,
    close: async () => {
      publisher?.close();
      await server.close();
      store.close();
    },
  };
}
