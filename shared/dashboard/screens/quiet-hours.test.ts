import { expect, test } from 'vitest';
import { quietHoursIn } from './quiet-hours.ts';
import { changed } from './setting-card.ts';

test('Quiet hours that were not changed are not sent, with or without the fields that a script may leave out.', () => {
  const values = new FormData();
  values.set('quietHours.start', '21:00');
  values.set('quietHours.end', '08:00');
  const hours = { start: '21:00', end: '08:00' };
  for (const quietHours of [hours, { ...hours, withCountryRules: false }])
    expect(changed({ quietHours: quietHoursIn(values, quietHours) }, { quietHours })).toEqual({});
  values.set('withCountryRules', 'true');
  for (const quietHours of [hours, { ...hours, withCountryRules: false }, null])
    expect(quietHoursIn(values, quietHours)).toEqual({ ...hours, withCountryRules: true });
});
