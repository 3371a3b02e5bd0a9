import { contract } from '../../../shared/http/contract.ts';

export const answerPreflightContract = contract({
  summary: 'Tell a browser that pages may call',
  status: 204,
});
