import { createHash } from 'node:crypto';
import { isSameText } from '../../kit/same-text.ts';

type Fields = Readonly<Record<string, string>>;

/** Names and values are signed as they are. One with `&name=` in it could stand for fields that then count as unsigned, with any other values. */
const isOneField = ([name, value]: readonly [string, string]): boolean => /^\w+$/.test(name) && !/&\w+=/.test(value);

/**
 * Whether a notification bears the sign of the store. `verify_key` names the fields that were signed; with the hash of the store's password
 * among them, they are written in the order of their names as `name=value&…`, values as they are, and hashed: by SHA-256 in `verify_sign_sha2`
 * where it is there, by MD5 in `verify_sign`. Samples of the gateway's own leave a field that was not sent empty, older ones leave it out.
 */
export const isSigned = (fields: Fields, storePassword: string): boolean => {
  const { verify_key: keys = '', verify_sign: md5 = '', verify_sign_sha2: sha256 = '' } = fields;
  const [algorithm, sign] = sha256 === '' ? (['md5', md5] as const) : (['sha256', sha256] as const);
  const names = keys.split(',').filter((name) => name !== '');
  if (names.length === 0) return false;
  const hash = (text: string) => createHash(algorithm).update(text).digest('hex');
  const isSignOf = (signed: readonly string[]): boolean => {
    const values = new Map(signed.map((name) => [name, fields[name] ?? ''])).set('store_passwd', hash(storePassword));
    const pairs = [...values].sort(([one], [other]) => (one < other ? -1 : 1));
    const text = pairs.map(([name, value]) => `${name}=${value}`).join('&');
    return pairs.every(isOneField) && isSameText(hash(text), sign.toLowerCase());
  };
  const sent = names.filter((name) => Object.hasOwn(fields, name));
  return [names, sent].some(isSignOf);
};
