import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';

export const signOutContract = contract({
  summary: 'Sign out',
  description: 'Ends the session of the cookie, and the keys that were made in it. An operator token stays as it is.',
  status: 204,
  headers: z.object({ 'Set-Cookie': z.string() }),
});
