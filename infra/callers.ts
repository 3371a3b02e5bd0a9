import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import type * as callers from '../shared/callers.ts';
import type { keylessSurface } from '../shared/http/keyless-surface.ts';
import { type Auth, scopeOf } from './auth.ts';
import { isPublicCheckout, isWebhookManagement, type Route, routes, unknownRoute } from './routes.ts';

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

const real = (name: string, wanted = ''): Surface => ({ file: 'callers.ts', name, made: `${name}(${wanted})` });

const ofPeople = ({ gives, whileActive, ...wanted }: Extract<Auth, { readonly role: unknown }>): Surface => {
  const who = JSON.stringify(wanted);
  if (gives) return real('accountPeople', who);
  return real(whileActive ? 'peopleWhileActive' : 'people', who);
};

/** With a scope if it needs one, and with what its row says of the audit log. */
const ofKeys = (path: string, auth: Extract<Auth, { readonly apiKey: unknown }>): Surface => {
  const wanted = [scopeOf(auth), auth.noting].map((each) => `${JSON.stringify(each)}`).join(', ');
  return real(isWebhookManagement(path) ? 'webhookCallers' : 'apiKeyCallers', wanted);
};

const surfaceFor = (key: string, auth: Auth): Surface => {
  const [method, path = ''] = key.split(' ');
  if (typeof auth === 'object' && 'apiKey' in auth) return ofKeys(path, auth);
  if (auth === 'payer') return real(isPublicCheckout(path) ? 'payersOnAnyPage' : 'payers');
  if (typeof auth === 'object' && 'checkoutKey' in auth)
    return auth.checkoutKey === 'secret' ? real('checkoutCallers', "'secret'") : real('shopCallers');
  if (typeof auth === 'object' && 'role' in auth) return ofPeople(auth);
  return method === 'OPTIONS'
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
