import { page } from '../../../shared/http/page.ts';
import { questionPage } from '../../../shared/messages/unsubscribe-pages.ts';

export const handler = page({ type: 'text/html', text: questionPage });
