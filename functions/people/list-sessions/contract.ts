import * as z from 'zod';
import { contract } from '../../../shared/http/contract.ts';
import { exampleId } from '../../../shared/kit/id.ts';

const instant = (example: string) => z.string().meta({ format: 'date-time', examples: [example] });

export const listSessionsContract = contract({
  summary: 'List your own sessions',
  description: 'Newest first. A script with an operator token has none.',
  status: 200,
  reply: z.array(
    z.object({
      id: z.string().meta({ examples: [exampleId] }),
      createdAt: instant('2026-11-20T12:00:00.000Z'),
      expiresAt: instant('2026-11-21T00:00:00.000Z'),
      address: z.string().meta({ examples: ['203.0.113.7'] }),
      userAgent: z.string().meta({ examples: ['Mozilla/5.0'] }),
      isCurrent: z.boolean().meta({ examples: [true] }),
    }),
  ),
});
