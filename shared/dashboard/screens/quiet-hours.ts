import type { Account } from '../../client/admin.ts';
import { isOn, linesIn, textIn } from '../parts/form-values.ts';

const countriesOf = (values: FormData): string[] =>
  linesIn(values, 'quietHours.countries').map((country) => country.toUpperCase());

/** What the fields say. A script may have set no `withCountryRules`, which is as good as false: it stays away then. */
export const quietHoursIn = (values: FormData, shown: Account['quietHours']) => {
  const withCountryRules = isOn(values, 'withCountryRules');
  return {
    start: textIn(values, 'quietHours.start'),
    end: textIn(values, 'quietHours.end'),
    ...(countriesOf(values).length > 0 && { countries: countriesOf(values) }),
    ...((withCountryRules || shown?.withCountryRules !== undefined) && { withCountryRules }),
  };
};
