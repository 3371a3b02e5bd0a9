import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { isId } from '../kit/id.ts';
import { pathShowing } from '../kit/request-line.ts';
import type { Lent } from '../people/person.ts';
import { isRead } from './reads.ts';

interface Noted {
  readonly PK: string;
  readonly SK: string;
}

/** The audit log, for what is about to change or to be exported. */
export interface Audit {
  begin(
    entry: Lent & { readonly action: string; readonly resource: string; readonly account: string | undefined },
    nowMs: number,
  ): Promise<Noted>;
  /** `account`: the new account that the entry is about. */
  end(noted: Noted, status: number, made: string | undefined, account: string | undefined): Promise<void>;
}

/** An id, or a word such as a channel. Any other value may be a person's address, also where it does not belong, and the log is kept for a year. */
const isNameless = (value: string): boolean => isId(value) || /^[a-z]{1,20}$/.test(value);

/**
 * What the audit log has of a route, unless it is what changes something: `always` also a read, by which a person gets all personal data; `never`
 * what changes nothing, though it is no GET.
 */
export type Noting = 'always' | 'never';

/** Notes what a person changes or exports with a key that was lent to them; what an account's own keys change is not noted. */
export const noteChange = async (
  audit: Audit,
  event: APIGatewayProxyEventV2,
  {
    account,
    lent,
    makesAccount = false,
  }: {
    readonly account: { readonly id: string } | undefined;
    readonly lent?: Lent | undefined;
    readonly makesAccount?: boolean;
  },
  nowMs: number,
  noting: Noting = isRead(event) ? 'never' : 'always',
) => {
  if (!lent || noting === 'never') return {};
  const entry = { action: event.routeKey, resource: pathShowing(event, isNameless), account: account?.id };
  const noted = await audit.begin({ ...lent, ...entry }, nowMs);
  return {
    noteStatus: (status: number, made?: string) => audit.end(noted, status, made, makesAccount ? made : undefined),
  };
};
