import { expect, it } from 'vitest';
import { noteServerTime, serverNow } from './server-time.ts';

const answerAt = (aheadMs: number) => ({
  headers: new Headers({ date: new Date(Date.now() + aheadMs).toUTCString() }),
});
const aheadHours = (): number => Math.round((serverNow().getTime() - Date.now()) / 3_600_000) + 0;

it('the dashboard uses the server’s clock, as its last answer shows it', () => {
  expect(aheadHours()).toBe(0);
  noteServerTime(answerAt(72 * 3_600_000));
  expect(aheadHours()).toBe(72);
  noteServerTime({ headers: new Headers() });
  expect(aheadHours()).toBe(72);
  noteServerTime(answerAt(-2 * 3_600_000));
  expect(aheadHours()).toBe(-2);
  noteServerTime(answerAt(20_000));
  expect(serverNow().getTime() - Date.now()).toBeLessThan(1_000);
});
