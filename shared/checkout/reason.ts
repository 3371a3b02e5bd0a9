import * as z from 'zod';

/** The words of a merchant or a reviewer about their decision. */
export const reasonText = z.string().trim().min(1).max(255);
