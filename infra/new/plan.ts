import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { roles } from '../../shared/people/person.ts';
import { type Auth, scopeOf } from '../auth.ts';
import { parseArguments } from '../local/parse-arguments.ts';
import { StartFailure } from '../local/start-failure.ts';
import { type Route, routes } from '../routes.ts';
import { functionFolders, functionName } from '../rows.ts';

export const usage = `npm run new -- <method> <path> <folder> [--auth <scope>|operator|owner|developer|viewer|secret|secret-or-publishable|payer|provider|public]

  npm run new -- GET /api/v1/limits messages/get-limits

Writes the row in infra/routes.ts, the folder under functions with a failing test, and the sample event.`;

/** An endpoint that is to be written. */
export interface Plan {
  readonly method: string;
  readonly path: string;
  /** Its folder under `functions`. */
  readonly does: string;
  readonly auth: Auth;
  /** `getLimits`. */
  readonly verb: string;
}

const adminRoles = ['operator', ...roles] as const;
const checkoutKeys = ['secret', 'secret-or-publishable'] as const;
const keylessCallers = ['payer', 'provider', 'public'] as const;

/** Who calls what lies under a path, where nothing else is asked for. The first that fits decides. */
const callersByPath: readonly (readonly [start: string, auth: Auth])[] = [
  ['/admin/v1/', { role: 'operator' }],
  ['/v1/public/', 'payer'],
  ['/v1/', { checkoutKey: 'secret' }],
  ['/callbacks/', 'provider'],
];

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const scopes = [...new Set(Object.values<Route>(routes).flatMap(({ auth }) => scopeOf(auth) ?? []))];

/**
 * What the command line asks for.
 * @throws StartFailure when that cannot be, in one line
 */
export const planOf = (argv: readonly string[], root: string): Plan => {
  const { positionals, values } = parsed(argv);
  const [method = '', path = '', does = '', ...others] = positionals;
  if (!does || others.length > 0)
    throw new StartFailure('Name a method, a path and a folder: npm run new -- GET /api/v1/limits messages/get-limits');
  if (!methods.includes(method)) throw new StartFailure(`${method}: the method must be one of ${methods.join(', ')}`);
  if (!/^(\/([a-z0-9.-]+|\{[a-zA-Z]+\}))+$/.test(path))
    throw new StartFailure(`${path}: a path looks like /api/v1/things/{id}`);
  if (!/^[a-z]+(-[a-z]+)*\/[a-z]+(-[a-z]+)+$/.test(does))
    throw new StartFailure(`${does}: a folder is a subject and verb-noun, like messages/get-limits`);
  const taken = Object.keys(routes).find((key) => shapeOf(key) === shapeOf(`${method} ${path}`));
  if (taken) throw new StartFailure(`The route ${taken} exists already.`);
  const namesake = functionFolders.find((each) => functionName(each) === functionName(does));
  if (namesake) throw new StartFailure(`functions/${namesake} exists already, and is named ${functionName(namesake)}.`);
  const remains = [`functions/${does}`, `events/${functionName(does)}.json`].find((file) =>
    existsSync(join(root, file)),
  );
  if (remains) throw new StartFailure(`${remains} exists already.`);
  const verb = basename(does).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { method, path, does, verb, auth: authFor(values.auth, { method, path, does }) };
};

/** Two routes that differ in the names of parameters alone are one. */
const shapeOf = (key: string): string => key.replaceAll(/\{\w+\}/g, '{}');

const parsed = (argv: readonly string[]) =>
  parseArguments(usage, { args: [...argv], allowPositionals: true, options: { auth: { type: 'string' } } });

/** What was asked for or, without that, what the path says: messaging has one scope for reading a subject, and one for the rest. */
const authFor = (wanted: string | undefined, { method, path, does }: Pick<Plan, 'method' | 'path' | 'does'>): Auth => {
  const keyless = keylessCallers.find((each) => each === wanted);
  if (keyless) return keyless;
  const named = adminRoles.find((each) => each === wanted);
  if (named) return { role: named, ...(path.startsWith('/admin/v1/accounts/{id}') && { of: 'account' }) };
  const checkoutKey = checkoutKeys.find((each) => each === wanted);
  if (checkoutKey) return { checkoutKey };
  const [subject = ''] = does.split('/');
  const ofSubject = scopes.filter((scope) => scope.startsWith(`${subject}:`));
  const forReading = ofSubject.filter((scope) => scope.endsWith(':read') === (method === 'GET'));
  const guess = path.startsWith('/api/v1/') ? (forReading[0] ?? ofSubject[0]) : undefined;
  const scope = wanted === undefined ? guess : scopes.find((each) => each === wanted);
  if (scope) return { apiKey: scope };
  const [, usual] = callersByPath.find(([start]) => wanted === undefined && path.startsWith(start)) ?? [];
  if (usual) return usual;
  throw new StartFailure(
    `Say who may call ${path}: --auth operator, owner, developer, viewer, secret, secret-or-publishable, payer, provider, public, ${scopes.join(', ')}`,
  );
};
