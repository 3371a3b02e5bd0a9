import { InternalError } from '../kit/internal-error.ts';

/**
 * The result of a lookup by the account's id in a job.
 * @throws InternalError when it is undefined: the job ends in the dead-letter queue
 */
export const accountOfJob = <Account extends object>(accountId: string, account: Account | undefined): Account => {
  if (!account) throw new InternalError('no account has the id of a job', { accountId });
  return account;
};
