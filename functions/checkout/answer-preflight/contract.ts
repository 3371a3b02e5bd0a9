import { contract } from '../../../shared/http/contract.ts';

export const answerPreflightContract = contract({
  summary: 'Answer a browser’s CORS preflight request',
  status: 204,
});
