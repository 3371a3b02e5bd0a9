import { type Auth, scopeOf } from '../auth.ts';
import { functionName } from '../rows.ts';
import { callbackFilesOf } from './callback-files.ts';
import type { Plan } from './plan.ts';

/** What a plan comes to: the text of each file, by its path. */
export const filesOf = (plan: Plan): Readonly<Record<string, string>> => {
  const folder = `functions/${plan.does}`;
  const written = plan.auth === 'provider' ? callbackFilesOf(plan) : endpointFilesOf(plan);
  return {
    ...Object.fromEntries(Object.entries(written).map(([name, text]) => [`${folder}/${name}`, text])),
    [`events/${functionName(plan.does)}.json`]: eventOf(plan),
  };
};

const endpointFilesOf = (plan: Plan): Readonly<Record<string, string>> => ({
  'contract.ts': contractOf(plan),
  'handler.ts': handlerOf(plan),
  'main.ts': mainOf(plan),
  'handler.test.ts': testOf(plan),
});

/** The table of routes with the row of the plan after the last one of its API. */
export const withRow = (routesText: string, { method, path, does, auth }: Plan): string => {
  const scope = scopeOf(auth);
  const row = `  '${method} ${path}': {
    does: '${does}',
    auth: ${scope ? `{ apiKey: '${scope}' }` : typeof auth === 'string' ? `'${auth}'` : objectText(auth)},
    needs: [],
  },\n`;
  const rows = [...routesText.matchAll(/^ {2}'[A-Z]+ (\/[^']*)': \{(?:.*\},|[\s\S]*?^ {2}\},)\n/gm)];
  const apiOf = (of: string) => /^(\/api|\/admin|\/v1|)/.exec(of)?.[0];
  const last = rows.findLast(([, other = '']) => apiOf(other) === apiOf(path)) ?? rows.at(-1);
  const at = (last?.index ?? 0) + (last?.[0].length ?? 0);
  return routesText.slice(0, at) + row + routesText.slice(at);
};

const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

const sentence = (verb: string): string => {
  const words = verb.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const contractOf = ({ path, verb }: Plan): string => {
  const parameters = parametersOf(path).map((name) => `${name}: z.string()`);
  return `import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const ${verb}Contract = contract({
  summary: '${sentence(verb)}',
  status: 200,
${parameters.length > 0 ? `  path: z.object({ ${parameters.join(', ')} }),\n` : ''}  reply: z.object({}),
});
`;
};

const handlerOf = ({ verb }: Plan): string => `import type { Reply } from '../../../shared/http/contract.ts';
import { InternalError } from '../../../shared/kit/internal-error.ts';
import type { ${verb}Contract } from './contract.ts';

/** ${sentence(verb)}. */
export const ${verb} = async (): Promise<Reply<typeof ${verb}Contract>> => {
  throw new InternalError('this endpoint is not written yet');
};
`;

const mainOf = ({ does, verb }: Plan): string => `import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { ${verb}Contract } from './contract.ts';
import { ${verb} } from './handler.ts';

export const handler = endpoint(${verb}Contract, ${verb}, callersOf('${does}'));
`;

const testOf = (plan: Plan): string => {
  const { method, path, verb, auth } = plan;
  const given = Object.fromEntries(parametersOf(path).map((name) => [name, '01932f6e-8c00-7000-8000-000000000001']));
  const { surface, key } = callersIn(auth);
  const asked = [
    ...(key ? [key.sent] : []),
    ...(Object.keys(given).length > 0 ? [`path: ${objectText(given)}`] : []),
    ...(hasBody(method) ? ['body: {}'] : []),
  ];
  const isKeyless = surface === 'keylessSurface';
  return `import { ${isKeyless ? '' : 'afterAll, beforeAll, '}describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
${isKeyless ? "import { keylessSurface } from '../../../shared/http/keyless-surface.ts';\n" : ''}import { call } from '../../../test/call.ts';
${isKeyless ? '' : `import { startWorld, ${key?.made.includes('TestAccount') ? 'type TestAccount, ' : ''}type World } from '../../../test/world.ts';\n`}import { ${verb}Contract } from './contract.ts';
import { ${verb} } from './handler.ts';
${isKeyless ? '' : worldText(key)}
const ask = () => call(endpoint(${verb}Contract, ${verb}, ${surface})${asked.length > 0 ? `, { ${asked.join(', ')} }` : ''});

describe('${method} ${path}', () => {
  it('200 gives what its reference page says', async () => {
    const { status, body } = await ask();
    expect([status, body.data]).toEqual([200, {}]);
  });
});
`;
};

/** How a test gets a key, and sends it. */
interface TestKey {
  readonly made: string;
  readonly from: string;
  readonly sent: string;
}

/** The callers that a test lets in, and the key of its own. */
const callersIn = (auth: Auth): { readonly surface: string; readonly key?: TestKey } => {
  const scope = scopeOf(auth);
  if (scope) {
    const key = {
      made: 'let account: TestAccount;',
      from: 'account = await world.newAccount();',
      sent: 'key: account.key',
    };
    return { surface: `world.callers('${scope}')`, key };
  }
  if (typeof auth === 'object' && 'checkoutKey' in auth) {
    const from = 'key = await world.newCheckoutKey((await world.newAccount()).ref);';
    const key = { made: 'let key: string;', from, sent: `headers: { authorization: \`Bearer \${key}\` }` };
    return { surface: `world.checkoutCallers('${auth.checkoutKey}')`, key };
  }
  return { surface: auth === 'payer' ? 'world.payers()' : 'keylessSurface' };
};

const worldText = (key: TestKey | undefined): string => `
let world: World;
${key ? `${key.made}\n` : ''}beforeAll(async () => {
  world = await startWorld();
${key ? `  ${key.from}\n` : ''}});
afterAll(() => world.close());
`;

const objectText = (fields: object): string =>
  `{ ${Object.entries(fields)
    .map(([name, value]) => `${name}: '${value}'`)
    .join(', ')} }`;

const hasBody = (method: string): boolean => ['POST', 'PUT', 'PATCH'].includes(method);

/** What API Gateway gives the function, with placeholders that `npm run invoke` fills in. */
const eventOf = ({ method, path, auth }: Plan): string => {
  const routeKey = `${method} ${path}`;
  const sampleOf = (name: string) =>
    path.includes(`/accounts/{${name}}`) ? '{{accountId}}' : '01932f6e-8c00-7000-8000-000000000001';
  const pathParameters = Object.fromEntries(parametersOf(path).map((name) => [name, sampleOf(name)]));
  const rawPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => sampleOf(name));
  const event = {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: '',
    headers: {
      accept: '*/*',
      'content-type': 'application/json',
      host: 'api.example.com',
      ...(scopeOf(auth) && { 'x-api-key': '{{key}}' }),
      ...(typeof auth === 'object' && 'checkoutKey' in auth && { authorization: 'Bearer {{checkoutKey}}' }),
      ...(typeof auth === 'object' && 'role' in auth && { authorization: 'Bearer {{adminToken}}' }),
    },
    requestContext: {
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '203.0.113.7', userAgent: 'curl/8.5.0' },
      requestId: 'sample-request',
      routeKey,
      stage: '$default',
    },
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    ...(hasBody(method) && { body: '{}' }),
    isBase64Encoded: false,
  };
  return `${JSON.stringify(event, null, 2)}\n`;
};
