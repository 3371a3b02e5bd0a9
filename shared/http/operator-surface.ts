import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import type { AccountRef } from '../kit/account-ref.ts';
import { notFound } from '../kit/not-found.ts';
import type { Contract, RequestOf } from './contract.ts';
import type { Replays } from './replays.ts';
import { envelope, type Surface } from './surface.ts';

interface Needs {
  readonly accounts: { find(id: string): Promise<{ readonly ref: AccountRef } | undefined> };
  readonly replays: Replays<AccountRef>;
}

interface Operator {
  readonly account: AccountRef;
  /** The caller's IAM identity. */
  readonly operator: string;
}

/** The input of a handler behind this surface. */
export type OperatorInput<C extends Contract> = RequestOf<C> & Operator;

/** Operators, on the account with the `id` of the path. API Gateway has authorized them already. */
export const operatorSurface = ({ accounts, replays }: Needs): Surface<Operator> => ({
  identify: async ({ pathParameters, requestContext }) => {
    const account = await accounts.find(pathParameters?.['id'] ?? '');
    if (!account) return { headers: {}, refusal: notFound('account_not_found') };
    return { headers: {}, who: { account: account.ref, operator: operatorIn(requestContext) } };
  },
  faultBody: envelope,
  replays: {
    claim: ({ account }, wanted, nowMs) => replays.claim(account, { ...wanted, key: ownKey(wanted.key) }, nowMs),
    complete: ({ account }, claim, reply) => replays.complete(account, claim, reply),
    release: ({ account }, claim) => replays.release(account, claim),
    end: ({ account }, claim) => replays.end(account, claim),
  },
});

/** The line break separates operators' keys from those of the account's callers, which come from a header and have none. */
const ownKey = (key: string): string => `operator\n${key}`;

const operatorIn = (context: APIGatewayProxyEventV2['requestContext']): string => {
  const authorized = z.object({ authorizer: z.object({ iam: z.object({ userArn: z.string().min(1) }) }) });
  const { data } = authorized.safeParse(context);
  return data?.authorizer.iam.userArn ?? 'operator';
};
