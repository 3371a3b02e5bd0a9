import type { APIGatewayProxyEventV2 } from 'aws-lambda';
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
  end(noted: Noted, status: number, made: string | undefined): Promise<void>;
}

/** The path of a request without the address of a person, which the log would keep for a year. */
const resourceOf = ({ routeKey, pathParameters = {} }: APIGatewayProxyEventV2): string =>
  routeKey
    .replace(/^\S+ /, '')
    .replaceAll(/\{(\w+)\}/g, (shown: string, name: string) =>
      name === 'address' ? shown : (pathParameters[name] ?? shown),
    );

/** They change nothing. */
const previews: ReadonlySet<string> = new Set(['POST /api/v1/messages/preview', 'POST /api/v1/templates/{id}/preview']);

/** They change nothing either, but a person gets all personal data by them. */
const exports: ReadonlySet<string> = new Set(['GET /api/v1/messages/export', 'GET /api/v1/contacts/export']);

/** The dashboard's own come with every page, and nobody would look for them; what a program was lent is noted. */
const lending = 'POST /admin/v1/accounts/{id}/access-keys';

/** Notes what a person changes or exports with a key that was lent to them; what an account's own keys change is not noted. */
export const noteChange = async (
  audit: Audit,
  event: APIGatewayProxyEventV2,
  {
    account,
    lent,
    isDashboard = false,
  }: {
    readonly account: { readonly id: string } | undefined;
    readonly lent?: Lent | undefined;
    readonly isDashboard?: boolean;
  },
  nowMs: number,
) => {
  if (!lent || (isRead(event) && !exports.has(event.routeKey)) || previews.has(event.routeKey)) return {};
  if (isDashboard && event.routeKey === lending) return {};
  const entry = { action: event.routeKey, resource: resourceOf(event), account: account?.id };
  const noted = await audit.begin({ ...lent, ...entry }, nowMs);
  return { noteStatus: (status: number, made?: string) => audit.end(noted, status, made) };
};
