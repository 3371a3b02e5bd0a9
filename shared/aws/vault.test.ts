import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKms } from '../../infra/local/emulators/kms.ts';
import { localEndpoint } from '../../infra/local/local-client.ts';
import { keyNumberOf } from '../kit/cipher.ts';
import { withinTime } from '../kit/time-limit.ts';
import { minuteMs } from '../kit/time-units.ts';
import { type AwsService, openAwsService } from './aws-service.ts';
import { type DataKeys, dataKeyMaker, openVault, type RingKey, untilSealsMs } from './vault.ts';

const dataDirectory = mkdtempSync(join(tmpdir(), 'vault-'));
let kms: Awaited<ReturnType<typeof startKms>>;
let client: AwsService;
let dataKeys: DataKeys;
beforeAll(async () => {
  kms = await startKms({ dataDirectory });
  client = openAwsService('kms', localEndpoint(kms.url));
  dataKeys = dataKeyMaker(client, 'master');
});
afterAll(async () => {
  await kms.close();
  rmSync(dataDirectory, { recursive: true, force: true });
});

/** An account whose ring grows, functions with vaults of their own, and their clock. */
const newBench = async (functions: number) => {
  const time = { nowMs: 0, reads: 0 };
  const ring: RingKey[] = [];
  const read = async () => {
    time.reads += 1;
    return [...ring];
  };
  const ref = { id: 'account', sealedKey: await dataKeys.create('account') };
  const vaults = Array.from({ length: functions }, () => openVault(client, { read }, () => time.nowMs));
  return {
    time,
    ring,
    cipherOf: (nth: number) => vaults[nth % functions]?.unlock(ref) ?? expect.fail('no such function'),
    rotate: async (afterMs = untilSealsMs) => {
      ring.push({ sealedKey: await dataKeys.create('account'), fromMs: time.nowMs + afterMs });
    },
  };
};

type Step =
  | { readonly kind: 'seal' | 'open'; readonly by: number }
  | { readonly kind: 'wait'; readonly minutes: number }
  | { readonly kind: 'rotate' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('seal' as const, 'open' as const), by: fc.nat({ max: 2 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.nat({ max: 70 }) }) },
  fc.record({ kind: fc.constant('rotate' as const) }),
);

describe('the data keys of an account', () => {
  it('seal from their time on, each function opens what any has sealed, and fingerprints stay', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { time, ring, cipherOf, rotate } = await newBench(3);
        const print = (await cipherOf(0)).fingerprint('email', 'ada');
        const texts: { readonly sealed: Uint8Array; readonly text: string }[] = [];
        const openAll = async (by: number): Promise<void> => {
          const cipher = await cipherOf(by);
          expect(cipher.fingerprint('email', 'ada')).toBe(print);
          for (const { sealed, text } of texts) expect(cipher.open(`place of ${text}`, sealed)).toBe(text);
        };
        const seal = async (by: number): Promise<void> => {
          const text = `text ${texts.length}`;
          const sealed = (await cipherOf(by)).seal(`place of ${text}`, text);
          expect(keyNumberOf(sealed)).toBe(ring.filter(({ fromMs }) => fromMs <= time.nowMs).length);
          texts.push({ sealed, text });
        };
        for (const next of steps) {
          if (next.kind === 'wait') time.nowMs += next.minutes * minuteMs;
          else if (next.kind === 'rotate') await rotate();
          else await { open: openAll, seal }[next.kind](next.by);
        }
        for (const by of [0, 1, 2]) await openAll(by);
      }),
      { numRuns: 40 },
    );
  });

  it('are read once in ten minutes', async () => {
    const { time, cipherOf } = await newBench(1);
    for (const atMinutes of [0, 5, 9.9, 10, 19.9, 20]) {
      time.nowMs = atMinutes * minuteMs;
      await Promise.all([cipherOf(0), cipherOf(0)]);
    }
    expect(time.reads).toBe(3);
  });

  it('are read again after one that was not known', async () => {
    const { cipherOf, rotate } = await newBench(2);
    const old = await cipherOf(0);
    await rotate(0);
    const sealed = (await cipherOf(1)).seal('here', 'text');
    expect(() => old.open('here', sealed)).toThrow('the data was sealed under an unknown key');
    expect((await cipherOf(0)).open('here', sealed)).toBe('text');
  });

  it('are needed each: what one has sealed is not opened by the first, nor for another account', async () => {
    const { ring, cipherOf, rotate } = await newBench(1);
    await rotate(0);
    const sealed = (await cipherOf(0)).seal('here', 'text');
    const first = Buffer.from(sealed);
    first.writeUInt8(0, 1);
    const cipher = await cipherOf(0);
    expect(() => cipher.open('here', first)).toThrow();
    const stolen = openVault(client, { read: async () => ring });
    await expect(stolen.unlock({ id: 'other', sealedKey: await dataKeys.create('other') })).rejects.toThrow();
  });
});

it('a request that waits for a key is not ended with the one that asked for it first', async () => {
  const ref = { id: 'account', sealedKey: await dataKeys.create('account') };
  const asked = Promise.withResolvers<void>();
  const isOver = Promise.withResolvers<void>();
  const slow: AwsService = {
    send: async (call) => {
      asked.resolve();
      await isOver.promise;
      return client.send(call);
    },
  };
  const vault = openVault(slow, { read: async () => [] });
  const first = withinTime(Date.now(), () => vault.unlock(ref));
  await asked.promise;
  const second = vault.unlock(ref);
  isOver.resolve();
  await expect(Promise.all([first, second])).resolves.toHaveLength(2);
});
