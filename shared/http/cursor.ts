import * as z from 'zod';
import { isId, newerExampleId } from '../kit/id.ts';
import { instantText, integerText } from './fields.ts';

/** What a list that is read by cursor takes in its query. */
export const cursorQuery = ({
  defaultLimit,
  most = 100,
}: {
  readonly defaultLimit: number;
  readonly most?: number;
}) => ({
  limit: integerText({ from: 1, to: most }).default(defaultLimit),
  cursor: z
    .string()
    .refine(isId, 'must be the pagination.cursor of a previous page')
    .meta({ description: 'The `pagination.cursor` of the previous page.', examples: [newerExampleId] })
    .optional(),
});

/** What stands beside the rows of a page. */
export const cursorPagination = z
  .object({ cursor: z.string().nullable().describe('Null on the last page.'), hasMore: z.boolean() })
  .meta({ examples: [{ cursor: null, hasMore: false }] });

/** What a list by time takes in its query. */
export const createdQuery = {
  from: instantText.optional().describe('ISO 8601; created at or after.'),
  to: instantText.optional().describe('ISO 8601; created at or before.'),
};
