import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inFull } from './model-runs.ts';
import { newCheckout, startTestStack } from './test-stack.ts';

// Calls wait for bundles here, so this test runs only with `npm run test:long`: it bundles every function.

const mail = { channel: 'email', to: 'ada@example.com', subject: 'Hello', text: 'It works.' };

it.runIf(inFull)(
  'a first start is ready before all functions are bundled, prints its steps, and answers calls of every function',
  async () => {
    const checkout = newCheckout();
    // New sources, so that no cached bundle fits.
    writeFileSync(join(checkout, 'shared/http/icon.ts'), `export const icon = '<svg>${checkout}</svg>';\n`);
    const stack = await startTestStack({ checkout, dataDirectory: mkdtempSync(join(tmpdir(), 'empty-')) });
    expect(stack.output()).toMatch(
      /^Synthesizing the templates and bundling the functions…\nStarting the emulators…\n/,
    );
    const icon = await fetch(`${stack.file.checkoutBaseUrl}/favicon.ico`);
    expect([icon.status, await icon.text()]).toEqual([200, `<svg>${checkout}</svg>`]);
    expect((await stack.api('POST', '/messages', mail)).status).toBe(201);
    expect(await stack.stop()).toBe(0);
    expect(stack.output()).not.toContain('goroutine');
    stack.forget();
    rmSync(checkout, { recursive: true });
  },
  180_000,
);
