import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formFields } from './form-fields.ts';

it('the fields of a form are read as browsers write them, the last of a name', () => {
  const field = fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(fc.array(field), (fields) => {
      expect(formFields(new URLSearchParams(fields).toString())).toEqual(Object.fromEntries(fields));
    }),
  );
});

it('what cannot be decoded becomes replacement characters', () => {
  expect(formFields('code=%ff%zz&plain&=')).toEqual({ code: '\uFFFD%zz', plain: '', '': '' });
});

it('a body that is larger than any form is not read', () => {
  const form = (characters: number) => `a=1&${'b&'.repeat((characters - 4) / 2)}`;
  expect(formFields(form(65_536))).toEqual({ a: '1', b: '' });
  expect(formFields(form(65_538))).toEqual({});
});
