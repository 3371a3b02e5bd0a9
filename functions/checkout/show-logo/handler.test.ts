import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { picture } from '../../../shared/http/page.ts';
import { newId } from '../../../shared/kit/id.ts';
import { visitAs } from '../../../test/real-checkout.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

describe('GET /checkout/logos/{id}', () => {
  it('200 serves the image for good, and lets it do nothing but be shown', async () => {
    const show = picture(({ id = '' }) => world.logos.find(id));
    const bytes = Buffer.from('89504e470d0a1a0a0000', 'hex');
    const id = await world.logos.add(newId(Date.now()), { type: 'image/png', bytes });
    const { status, headers, text } = await visitAs(show, { method: 'GET', path: { id } });
    expect([status, Buffer.from(text, 'base64')]).toEqual([200, bytes]);
    expect(headers).toMatchObject({
      'Content-Type': 'image/png',
      'Content-Security-Policy': "default-src 'none'",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
  });

  it('404 answers an unknown or malformed id, and is not kept', async () => {
    const show = picture(({ id = '' }) => world.logos.find(id));
    for (const id of ['0'.repeat(32), '../x']) {
      const { status, headers } = await visitAs(show, { method: 'GET', path: { id } });
      expect([status, headers['Cache-Control']]).toEqual([404, 'no-store']);
    }
  });
});
