import { describe, expect, it } from 'vitest';
import { isSigned } from './sslcommerz-sign.ts';

/** As the gateway's sandbox sent it to its public store `testbox`, whose password is `qwerty`; `value_d` was not sent. */
const sample = {
  tran_id: '45c48cce2e',
  val_id: '210126185454BSzXJBsNFp6bXIg',
  amount: '600.00',
  card_type: 'DBBLMOBILEB-Dbbl Mobile Banking',
  store_amount: '585.00',
  card_no: '',
  bank_tran_id: '2101261854540sl3LEqAN58gnVk',
  status: 'VALID',
  tran_date: '2021-01-26 18:54:43',
  currency: 'BDT',
  card_issuer: 'DBBL Mobile Banking',
  card_brand: 'MOBILEBANKING',
  card_issuer_country: 'Bangladesh',
  card_issuer_country_code: 'BD',
  store_id: 'testbox',
  verify_sign: 'd546dc34743572351d30825fa5bed5a9',
  verify_key:
    'amount,bank_tran_id,base_fair,card_brand,card_issuer,card_issuer_country,card_issuer_country_code,card_no,card_type,currency,currency_amount,currency_rate,currency_type,risk_level,risk_title,status,store_amount,store_id,tran_date,tran_id,val_id,value_a,value_b,value_c,value_d',
  verify_sign_sha2: 'ed82f8596c10493c89030953fcf4b6617eb464f4c9c6429dc2331018acc32271',
  currency_type: 'BDT',
  currency_amount: '600.00',
  currency_rate: '1.0000',
  base_fair: '0.00',
  value_a: '45c48cce2e',
  value_b: '9',
  value_c: 'cart_payment',
  risk_level: '0',
  risk_title: 'Safe',
};

const { verify_sign_sha2: _, ...withMd5Alone } = sample;

describe('the sign of a notification', () => {
  it('is known by SHA-256, and by MD5 where there is nothing else', () => {
    expect(isSigned(sample, 'qwerty')).toBe(true);
    expect(isSigned(withMd5Alone, 'qwerty')).toBe(true);
    expect(isSigned({ ...sample, verify_sign: 'unlike' }, 'qwerty')).toBe(true);
    expect(isSigned({ ...withMd5Alone, verify_sign: sample.verify_sign.toUpperCase() }, 'qwerty')).toBe(true);
  });

  it('is known where a field that was not sent is left out of it', () => {
    // By the rule of older samples: md5('status=VALID&store_passwd=' + md5('qwerty')).
    const signed = { verify_key: 'status,error', status: 'VALID', verify_sign: 'e7f0828adfdcf79f46108790f5871ab8' };
    expect(isSigned(signed, 'qwerty')).toBe(true);
    expect(isSigned({ ...signed, error: '' }, 'qwerty')).toBe(false);
  });

  it('is unlike for every other value of a field that is signed', () => {
    for (const name of sample.verify_key.split(',')) {
      for (const fields of [sample, withMd5Alone]) {
        expect([name, isSigned({ ...fields, [name]: 'other' }, 'qwerty')]).toEqual([name, false]);
      }
    }
  });

  it('is unlike where a value or a name stands for fields that would be free then', () => {
    const names = sample.verify_key.split(',');
    const pair = (name: string) => `${name}=${Object.entries(sample).find(([each]) => each === name)?.[1] ?? ''}`;
    const [amount = '', ...joined] = names.slice(0, names.indexOf('status') + 1);
    const rest = names.filter((name) => name !== amount && !joined.includes(name));
    const tail = joined.map(pair).join('&');
    const within = {
      [amount]: `${sample.amount}&${tail}`,
      verify_key: [amount, ...rest].join(','),
    };
    const inName = `${pair(amount)}&${joined.slice(0, -1).map(pair).join('&')}&status`;
    const asName = { [inName]: sample.status, verify_key: [inName, ...rest].join(',') };
    for (const change of [within, asName])
      for (const status of ['VALID', 'FAILED'])
        expect(isSigned({ ...sample, ...change, status }, 'qwerty')).toBe(false);
  });

  it('is unlike with another password, without a sign, and without names', () => {
    expect(isSigned(sample, 'qwerty ')).toBe(false);
    expect(isSigned({ ...withMd5Alone, verify_sign: '' }, 'qwerty')).toBe(false);
    expect(isSigned({ ...sample, verify_key: '' }, 'qwerty')).toBe(false);
    expect(isSigned({ ...sample, verify_key: ',,' }, 'qwerty')).toBe(false);
    expect(isSigned({}, 'qwerty')).toBe(false);
    expect(isSigned({ ...sample, verify_sign_sha2: 'é'.repeat(32) }, 'qwerty')).toBe(false);
  });
});
