import * as z from 'zod';
import { line } from '../kit/line.ts';

/** The name of an operator token, for people: the token is in the audit log under it. */
export const tokenName = line(z.string().trim().min(1).max(100));
