import { faultReply } from './fault-reply.ts';
import { type Page, pageAnswer } from './page.ts';
import { serving } from './serving.ts';
import type { Surface } from './surface.ts';

/** A Lambda handler that serves a page to the callers of this surface only. */
export const guarded = (surface: Surface<object>, shown: Page) =>
  serving(async (event) => {
    const identity = await surface.identify(event, Date.now());
    if ('refusal' in identity)
      return faultReply(identity.refusal, { ...identity.headers, 'Cache-Control': 'no-store' });
    const answer = pageAnswer(shown, event);
    // A cache must not give it to others, nor a browser after its person has signed out.
    return { ...answer, headers: { ...answer.headers, ...identity.headers, 'Cache-Control': 'private, no-cache' } };
  });
