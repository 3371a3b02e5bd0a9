import type { Account } from './accounts.ts';
import { type Answer, clientIn, type Data, type Request } from './client.ts';
import type { World } from './world.ts';

/** A request with its answer, and the changes of the table that had been made before it and after it. */
export interface Try {
  readonly what: string;
  readonly account: Account;
  readonly from: number;
  readonly fromMs: number;
  end?: { readonly to: number; readonly atMs: number; readonly answer: Answer };
}

export const isDone = ({ end }: Try): boolean => end !== undefined && end.answer.status < 300;

type Attempt = (request: Request) => Promise<Answer>;

/** More than the faults of a world last: what is not answered would be taken for what is not there, and made again. */
const mostTries = 60;
const againMs = 2_000;
/** Every call of a function that has ended has arrived by then, and indexes have it. */
const settledMs = 6_000;

/** Clients of what has no idempotency key, who want an answer. */
export const patientClientIn = (world: World) => {
  const client = clientIn(world);

  /** Makes a request until it has an answer. */
  const insist = async (request: Request, attempt: Attempt = client.ask, left = mostTries): Promise<Answer> => {
    const answer = await attempt(request);
    if (answer.status < 500 || left === 0) return answer;
    await client.wait(againMs);
    return insist(request, attempt, left - 1);
  };

  /** Where there is no answer, who makes something looks for it before they make it again. */
  const makeOnce = async (
    request: Request,
    look: () => Promise<Data>,
    attempt: Attempt = client.ask,
    left = mostTries,
  ): Promise<Data> => {
    const { status, body } = await attempt(request);
    if (status < 500 || left === 0) return body?.data;
    await client.wait(settledMs);
    return (await look()) ?? makeOnce(request, look, attempt, left - 1);
  };

  /** All rows of a list with cursors. */
  const pages = async (request: Request, cursor?: string): Promise<readonly Data[]> => {
    const { body } = await insist({ ...request, query: { ...request.query, limit: '2', ...(cursor && { cursor }) } });
    const next = body?.pagination?.cursor;
    return [...(body?.data ?? []), ...(next ? await pages(request, next) : [])];
  };

  return {
    ...client,
    ...{ insist, makeOnce, pages },

    /** A way to make a request that keeps its tries. */
    noting:
      (account: Account, what: string, ...kept: readonly Try[][]): Attempt =>
      async (request) => {
        const made: Try = { what, account, from: world.changes.length, fromMs: world.timeline.nowMs() };
        for (const tries of kept) tries.push(made);
        const answer = await client.ask(request);
        made.end = { to: world.changes.length, atMs: world.timeline.nowMs(), answer };
        return answer;
      },
  };
};
