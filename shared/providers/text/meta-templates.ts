import * as z from 'zod';
import { isHeaderValue } from '../../kit/header-value.ts';
import { InternalError } from '../../kit/internal-error.ts';
import { causeOf, log } from '../../kit/log.ts';
import { assertInTime } from '../../kit/time-limit.ts';
import { metaMeaning } from '../../messages/meta-codes.ts';
import type { MetaSettings } from '../../messages/text-settings.ts';
import type { RemoteTemplate } from '../../templates/whatsapp-template.ts';

/** Meta's templates, or the reason of the failure. */
export type MetaTemplates =
  | { readonly kind: 'listed'; readonly templates: readonly RemoteTemplate[] }
  | { readonly kind: 'refused'; readonly reason: string }
  /** A later call may succeed. */
  | { readonly kind: 'unavailable'; readonly reason: string };

const page = z.object({
  data: z.array(
    z.object({
      name: z.string(),
      language: z.string(),
      status: z.string(),
      components: z.array(z.object({ type: z.string(), text: z.string().optional() })).default([]),
    }),
  ),
  paging: z
    .object({ next: z.string().optional(), cursors: z.object({ after: z.string().optional() }).optional() })
    .optional(),
});

const timeoutMs = 10_000;
const templatesPerPage = 100;
/** Meta allows 6,000 templates per business account. */
const mostPages = 100;

type Settings = Pick<MetaSettings, 'graphUrl' | 'businessAccountId' | 'accessToken'>;

/** All templates of an account's business account (`GET /{businessAccountId}/message_templates`), with the body that texts are made from. */
export const metaTemplates = async (settings: Settings): Promise<MetaTemplates> => {
  if (!isHeaderValue(settings.accessToken)) {
    return { kind: 'refused', reason: 'The access token contains characters that are not allowed in a header.' };
  }
  try {
    return await listed(settings);
  } catch (thrown) {
    log('warn', 'meta templates could not be read', causeOf(thrown));
    return { kind: 'unavailable', reason: 'Meta cannot be reached, or its response is invalid.' };
  }
};

const failure = z.object({ error: z.object({ code: z.int() }) });

/** Meta throttles with the status of a request that is not valid; its code says so. */
const isPassingError = async (response: Response): Promise<boolean> => {
  const { data } = failure.safeParse(await response.json().catch(() => undefined));
  return data !== undefined && metaMeaning(data.error.code)?.retryAfterSeconds !== undefined;
};

const listed = async ({ graphUrl, businessAccountId, accessToken }: Settings): Promise<MetaTemplates> => {
  const templates: RemoteTemplate[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const url = new URL(`${graphUrl}/${businessAccountId}/message_templates`);
    url.searchParams.set('fields', 'name,language,status,components');
    url.searchParams.set('limit', String(templatesPerPage));
    if (after !== undefined) url.searchParams.set('after', after);
    assertInTime();
    const response = await fetch(url, {
      headers: { Authorization: `Bearer ${accessToken}` },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      const isPassing = response.status >= 500 || response.status === 429 || (await isPassingError(response));
      const kind = isPassing ? 'unavailable' : 'refused';
      return { kind, reason: `Meta responded with status ${response.status}.` };
    }
    const { data, paging } = page.parse(await response.json());
    templates.push(
      ...data.map(({ name, language, status, components }) => ({
        name,
        language,
        status,
        text: components.find(({ type }) => type === 'BODY')?.text ?? '',
      })),
    );
    after = paging?.next === undefined ? undefined : paging.cursors?.after;
    if (after === undefined) return { kind: 'listed', templates };
  }
  throw new InternalError('Meta returns more pages of templates than an account can have', { mostPages });
};
