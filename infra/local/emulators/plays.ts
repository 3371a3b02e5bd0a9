import * as z from 'zod';
import { jsonIn } from '../../../shared/kit/json-in.ts';
import { complain, reasonOf } from '../complaints.ts';
import type { Routes } from './local-server.ts';
import { textPlays } from './phones-plays.ts';
import { mailPlays } from './ses-plays.ts';

/** Plays a notification of the message with this id. False: no such message was caught. */
export type PlayNotification<What> = (what: What, id: string) => Promise<boolean>;

interface Plays {
  readonly mail: PlayNotification<(typeof mailPlays)[number]>;
  readonly text: PlayNotification<(typeof textPlays)[number]>;
}

const demand = z.object({ what: z.string(), id: z.string() });

/** `POST /plays`: plays a provider's notification, in addition to the simulated outcomes. */
export const playRoutes = ({ mail, text }: Plays): Routes => ({
  'POST /plays': async ({ body }) => {
    const { data } = demand.safeParse(jsonIn(await body()));
    if (!data) return { status: 400, body: 'The body must be {"what": "…", "id": "…"}.' };
    const { what, id } = data;
    const [ofMail, ofText] = [mailPlays.find((one) => one === what), textPlays.find((one) => one === what)];
    if (!ofMail && !ofText)
      return {
        status: 400,
        body: `There is no ${what}. It must be one of ${[...mailPlays, ...textPlays].join(', ')}.`,
      };
    const play = async (): Promise<boolean> => (ofMail ? mail(ofMail, id) : ofText ? text(ofText, id) : false);
    const isPlayed = await play().catch((thrown: unknown) => {
      complain(reasonOf(thrown), thrown);
    });
    if (isPlayed === undefined)
      return { status: 502, body: 'The API did not take the notification. Its log says why.' };
    const kind = ofMail ? 'email' : 'text';
    return isPlayed
      ? { status: 204 }
      : { status: 404, body: `No ${kind} with the id ${id} has been sent. The inbox lists what was sent.` };
  },
});
