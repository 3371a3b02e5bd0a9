import { account, accountSettings } from '../../../shared/accounts/account.ts';
import { contract } from '../../../shared/http/contract.ts';

export const createAccountContract = contract({
  summary: 'Open an account',
  example: { name: 'Ada’s books' },
  status: 201,
  body: accountSettings.pick({ name: true }),
  reply: account,
  refuses: ['invalid_request'],
});
