import { account, newAccountFields } from '../../../shared/accounts/account.ts';
import { contract } from '../../../shared/http/contract.ts';

export const createAccountContract = contract({
  summary: 'Create an account',
  example: { name: 'Ada’s books' },
  status: 201,
  body: newAccountFields,
  reply: account,
  refuses: ['invalid_request'],
});
