import { useState } from 'preact/hooks';

/** Idempotency keys of a form, one for each body: sending the same again after a lost answer does it once. */
export const useKeys = (): ((body: object) => string) => {
  const [keys] = useState(() => new Map<string, string>());
  return (body) => {
    const wanted = JSON.stringify(body);
    const key = keys.get(wanted) ?? crypto.randomUUID();
    keys.set(wanted, key);
    return key;
  };
};
