import type { Account, Operations } from '../../client/admin.ts';

export type Changes = Operations['PATCH /accounts/{id}']['request']['body'];

/** What every group of settings is given. */
export interface CardProps {
  readonly account: Account;
  readonly isOpen: boolean;
  readonly save: (changes: Changes) => Promise<void>;
}
