import { randomBytes } from 'node:crypto';
import { phoneRoutes, type TakeReply } from '../inbox/phones.ts';
import type { Routes } from './local-server.ts';
import { deliveryReport, gatewayRoutes } from './phones-gateway.ts';
import { graphRoutes } from './phones-graph.ts';
import { statusNotification } from './phones-meta.ts';
import { newsOf, outcomeOf, type TextChannel, type TextNews } from './phones-outcomes.ts';
import type { textPlays } from './phones-plays.ts';
import { openTextStore, type TakeText } from './phones-store.ts';
import type { PlayNotification } from './plays.ts';
import { startPublisher } from './publisher.ts';

export interface PhonesOptions {
  /** Where `phones.sqlite` is kept; made when missing. */
  readonly dataDirectory: string;
  /** The API that receives notifications. It overrides the host of a report URL, whose port may be of an earlier start. */
  readonly apiUrl: string;
  /** What a phone writes on its page goes there. */
  readonly takeReply: TakeReply;
  /** From accepting a text to its first notification. */
  readonly simulatorDelayMs?: number;
}

export interface Phones {
  /** Serves an sms gateway, Meta's Graph API, and the caught texts as JSON and as pages. */
  readonly routes: Routes;
  /** Reports this status of a text now. */
  readonly play: PlayNotification<(typeof textPlays)[number]>;
  close(): void;
}

const timesOverloaded = 2;
const answerWithinMs = 10_000;

/** Simulated phones and their providers. The recipient's number decides the outcome. */
export const openPhones = ({ dataDirectory, apiUrl, takeReply, simulatorDelayMs = 200 }: PhonesOptions): Phones => {
  const store = openTextStore(dataDirectory);

  const publish = async (news: TextNews, id: string): Promise<void> => {
    const text = store.find(id);
    if (!text) return;
    const report = text.channel === 'sms' ? deliveryReport(text, news) : statusNotification(text, news, Date.now());
    const answer = await fetch(new URL(text.reportPath, apiUrl), {
      method: 'POST',
      ...report,
      signal: AbortSignal.timeout(answerWithinMs),
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`The report was answered ${answer.status}.`);
    store.setStatus(id, news.eventType);
  };
  const publisher = startPublisher(store, publish);

  const take: TakeText = (draft) => {
    const outcome = outcomeOf(draft.to);
    if (outcome === 'refused') return 'refused';
    const known = draft.channel === 'sms' ? store.findSms(draft.messageId) : undefined;
    if (known) return known;
    if (outcome === 'overloaded' && store.countTries(draft.messageId) <= timesOverloaded) return 'overloaded';
    const nowMs = Date.now();
    const text = { ...draft, id: newTextId(draft.channel), status: 'accepted', at: new Date(nowMs).toISOString() };
    const notifications = newsOf(outcome, draft.channel);
    const outgoing = { messageId: text.id, notifications, failures: 0, dueAtMs: nowMs + simulatorDelayMs };
    store.add(text, outgoing);
    publisher.schedule(outgoing);
    return text;
  };

  return {
    routes: { ...gatewayRoutes(take), ...graphRoutes(take), ...phoneRoutes(store, takeReply) },
    play: async (eventType, id) => {
      const text = store.find(id) ?? store.findMessage(id);
      if (text) await publish({ eventType }, text.id);
      return text !== undefined;
    },
    close: () => {
      publisher.close();
      store.close();
    },
  };
};

const newTextId = (channel: TextChannel): string =>
  `${channel === 'whatsapp' ? 'wamid.' : ''}${randomBytes(18).toString('base64url')}`;
