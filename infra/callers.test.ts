import { build } from 'esbuild';
import { expect, expectTypeOf, it } from 'vitest';
import type { ApiKeyCaller } from '../shared/http/api-key-surface.ts';
import type { CheckoutCaller } from '../shared/http/checkout-surface.ts';
import type { PeopleCaller } from '../shared/http/people-surface.ts';
import type { Surface } from '../shared/http/surface.ts';
import { bundleOptions } from './bundle.ts';
import type { Callable, CallersOf } from './callers.ts';

it('the type of a function’s callers follows from its row', () => {
  expectTypeOf<CallersOf<'messages/get-message'>>().toEqualTypeOf<Surface<ApiKeyCaller>>();
  expectTypeOf<CallersOf<'checkout/create-session'>>().toEqualTypeOf<Surface<CheckoutCaller>>();
  expectTypeOf<CallersOf<'checkout/get-session'>>().toEqualTypeOf<Surface<object>>();
  expectTypeOf<CallersOf<'admin/get-account'>>().toEqualTypeOf<Surface<PeopleCaller>>();
  expectTypeOf<'callbacks/receive-sms-report'>().not.toExtend<Callable>();
});

it('a bundle holds the surface that its row chooses, and no other', async () => {
  const chosen = {
    'messages/get-message': ['api-key-surface.ts'],
    'checkout/create-session': ['checkout-surface.ts'],
    'checkout/show-result': ['payer-surface.ts'],
    'checkout/get-session': ['payer-surface.ts'],
    'checkout/return-from-gateway': ['keyless-surface.ts'],
    'admin/get-account': ['people-surface.ts'],
    'admin/set-credits': ['account-people-surface.ts', 'people-surface.ts'],
    'public/refuse-unknown-route': ['keyless-surface.ts'],
  };
  const options = bundleOptions('.', Object.keys(chosen));
  // Packages hold no surface of ours.
  const { metafile } = await build({ ...options, packages: 'external', minify: false, write: false, metafile: true });
  const surfaces = Object.values(metafile.outputs).map(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput > 0 ? (/[\w-]+-surface\.ts$/.exec(file)?.[0] ?? []) : [],
    ),
  );
  expect(surfaces.sort()).toEqual(Object.values(chosen).sort());
});
