import { sessionCookie } from '../../shared/people/session-cookie.ts';
import type { RawMail } from '../../shared/providers/email/ses-call.ts';
import { peopleKeyOwner } from '../../shared/table/people/people-key.ts';
import { type Answer, clientIn, type Request } from './client.ts';
import type { Desk } from './desk.ts';
import type { Pass } from './people.ts';
import { type Random, randomIn } from './random.ts';
import type { Outside } from './services.ts';
import type { World } from './world.ts';

/** That somebody asked to sign in. */
export interface Asking {
  readonly email: string;
  readonly fromMs: number;
  /** Undefined while it is under way. */
  end?: { readonly atMs: number; readonly status: number };
}

/** A mail of the platform to a person, with the secret of its link if it has one that signs in. */
export interface Letter {
  readonly to: string;
  readonly atMs: number;
  readonly text: string;
  readonly token: string | undefined;
}

/** That somebody followed a link, or a program looked at it. */
export interface Click {
  readonly letter: Letter;
  readonly isLook: boolean;
  readonly fromMs: number;
  /** Undefined while it is under way. */
  end?: { readonly atMs: number; readonly status: number; readonly secret: string | undefined };
}

export const linkMs = 600_000;

export const isOfPeople = ({ tags }: RawMail): boolean => tags['accountId'] === peopleKeyOwner;

type Way = Pick<Request, 'routeKey' | 'headers'>;
const chrome = 'Mozilla/5.0 Chrome/141.0.0.0';
const path = '/dashboard/sign-in/{token}';
/** How mail scanners and previews look at a link, and how people use it. */
const looks: readonly [Way, ...Way[]] = [
  { routeKey: `HEAD ${path}` },
  { routeKey: `GET ${path}`, headers: { 'user-agent': chrome } },
];
const uses: readonly [Way, ...Way[]] = [
  { routeKey: `GET ${path}`, headers: { 'user-agent': chrome, 'sec-fetch-dest': 'document' } },
  { routeKey: `POST ${path}`, headers: { 'sec-fetch-site': 'same-origin' } },
];

const secretIn = ({ headers }: Answer): string | undefined =>
  new RegExp(`^${sessionCookie}=([0-9a-f]+);`).exec(headers['Set-Cookie'] ?? '')?.[1];

/** People ask for links, get mails and follow the links in them. Whoever has signed in has one more of the passes. */
export const openSignIns = (world: World, desk: Desk, passes: Pass[]) => {
  const { timeline } = world;
  const client = clientIn(world);
  const askings: Asking[] = [];
  const letters: Letter[] = [];
  const clicks: Click[] = [];

  const follow = async (letter: Letter, chance: Random, isLook: boolean): Promise<void> => {
    const click: Click = { letter, isLook, fromMs: timeline.nowMs() };
    clicks.push(click);
    const answer = await client.ask({
      does: 'people/sign-in',
      ...(isLook ? chance.pick(looks) : chance.pick(uses)),
      path: { token: letter.token ?? '' },
      userAgent: `click ${clicks.length}`,
    });
    const [atMs, secret] = [timeline.nowMs(), secretIn(answer)];
    click.end = { atMs, status: answer.status, secret };
    if (secret === undefined) return;
    const pass: Pass = { email: letter.to, id: undefined, secret, fromMs: atMs };
    passes.push(pass);
    const me = await desk.request({ action: 'getMe', by: pass }, chance);
    if (me.status === 200) pass.id = me.body.data.sessionId;
  };

  /** Some links are looked at by programs first, some are followed twice, at once or later, some too late. */
  const receive = (letter: Letter): void => {
    letters.push(letter);
    if (letter.token === undefined) return;
    const chance = randomIn(world.seed, letter.token);
    if (chance.isChance(0.2)) timeline.after(100, () => void follow(letter, chance, true));
    const afterMs = chance.isChance(0.2) ? linkMs + 1 + chance.below(60_000) : 1_000 + chance.below(10_000);
    const betweenMs = chance.pick([10, 100, 5_000]);
    for (let copies = chance.isChance(0.3) ? 2 : 1; copies > 0; copies -= 1)
      timeline.after(afterMs + chance.below(betweenMs), () => void follow(letter, chance, false));
  };

  const mail: Outside['mail'] = ({ raw, destination }) => {
    const { text } = JSON.parse(raw.toString());
    const token = /\/dashboard\/sign-in\/([0-9a-f]+)\n/.exec(text)?.[1];
    receive({ to: destination, atMs: timeline.nowMs(), text, token });
    return `ses-people-${letters.length}`;
  };

  return {
    askings,
    letters,
    clicks,
    /** Takes the mails of the platform to people. */
    mail,

    ask: async (email: string, chance: Random): Promise<void> => {
      const asking: Asking = { email, fromMs: timeline.nowMs() };
      askings.push(asking);
      const { status } = await client.ask({
        does: 'people/ask-to-sign-in',
        routeKey: 'POST /dashboard/sign-in',
        headers: { 'sec-fetch-site': 'same-origin' },
        body: chance.isChance(0.5) ? { email } : new URLSearchParams({ email }).toString(),
      });
      asking.end = { atMs: timeline.nowMs(), status };
    },
  };
};
