import type { Account, Operations } from '../../client/admin.ts';

export type Changes = Operations['PATCH /accounts/{id}']['request']['body'];

/** What every group of settings is given. */
export interface CardProps {
  readonly account: Account;
  readonly isOpen: boolean;
  readonly save: (changes: Changes) => Promise<void>;
}

/** What was changed of some settings. The rest is not sent: it stays as it is, also where another tab has changed it since. */
export const changed = <T extends object>(typed: T, shown: object): Partial<T> => {
  const before = new Map<string, unknown>(Object.entries(shown));
  const rest: Partial<T> = { ...typed };
  for (const name in rest) if (JSON.stringify(rest[name]) === JSON.stringify(before.get(name))) delete rest[name];
  return rest;
};
