import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import type * as callers from '../shared/callers.ts';
import type { keylessSurface } from '../shared/http/keyless-surface.ts';
import { type Auth, kindOf, scopeOf } from './auth.ts';
import { type Route, routes, unknownRoute } from './routes.ts';

const root = join(import.meta.dirname, '..');

type Rows = (typeof routes)[keyof typeof routes] | typeof unknownRoute;

/** The folders whose functions ask their row who may call. A provider's call is verified by the function itself. */
export type Callable = Exclude<Rows, { readonly auth: 'provider' }>['does'];

type SurfaceFor<A> = A extends { readonly apiKey: unknown }
  ? ReturnType<typeof callers.apiKeyCallers>
  : A extends { readonly checkoutKey: unknown }
    ? ReturnType<typeof callers.checkoutCallers>
    : A extends { readonly gives: unknown }
      ? ReturnType<typeof callers.accountPeople>
      : A extends { readonly role: unknown }
        ? ReturnType<typeof callers.people>
        : typeof keylessSurface;

/** The surface that `callersOf` gives to the function of this folder. */
export type CallersOf<Does extends Callable> = SurfaceFor<Extract<Rows, { readonly does: Does }>['auth']>;

/** A surface, and the file of `shared` that has it. What needs no real thing comes from `http`, so that its bundle holds none. */
interface Surface {
  readonly file: string;
  readonly name: string;
  readonly made?: string;
}

/** The surfaces of people, by what their row says. */
const peopleNames = { account: 'accountPeople', true: 'peopleWhileActive', false: 'people' } as const;

const surfaceFor = (key: string, auth: Auth): Surface => {
  const real = (name: string, scope = '') => ({ file: 'callers.ts', name, made: `${name}(${scope})` });
  if (kindOf(auth) === 'apiKey') {
    const scope = scopeOf(auth);
    return real(key.includes(' /api/v1/webhooks') ? 'webhookCallers' : 'apiKeyCallers', scope && `'${scope}'`);
  }
  if (auth === 'payer') return real(key.includes(' /v1/public/') ? 'payersOnAnyPage' : 'payers');
  if (typeof auth === 'object' && 'checkoutKey' in auth) return real('checkoutCallers', `'${auth.checkoutKey}'`);
  if (typeof auth === 'object' && 'role' in auth) {
    const { gives, whileActive, ...wanted } = auth;
    return real(peopleNames[`${gives ?? whileActive ?? false}`], JSON.stringify(wanted));
  }
  return key.startsWith('OPTIONS ')
    ? { file: 'http/cors.ts', name: 'preflightSurface' }
    : { file: 'http/keyless-surface.ts', name: 'keylessSurface' };
};

const surfaces = new Map(
  [...Object.entries<Route>(routes), ['', unknownRoute] as const].map(([key, { does, auth }]) => [
    does,
    surfaceFor(key, auth),
  ]),
);

/**
 * Gives each function the callers that its row lets in, and bundles no other surface:
 * `import { callersOf } from 'virtual:callers'` is resolved by the folder of the file that imports it.
 */
export const lettingIn: Plugin = {
  name: 'letting-in',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^virtual:callers$/ }, ({ importer }) => ({
      path: relative(join(root, 'functions'), dirname(importer)),
      namespace: 'callers',
    }));
    onLoad({ filter: /.*/, namespace: 'callers' }, ({ path: does }) => {
      const surface = surfaces.get(does);
      if (!surface) return { errors: [{ text: `functions/${does} has no row in infra/routes.ts` }] };
      const { file, name, made = name } = surface;
      return {
        contents: `import { ${name} } from './shared/${file}';\nexport const callersOf = () => ${made};`,
        resolveDir: root,
      };
    });
  },
};
