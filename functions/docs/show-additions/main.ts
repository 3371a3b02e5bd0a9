import { additions } from 'virtual:description';
import { page } from '../../../shared/http/page.ts';

export const handler = page({ type: 'text/html', text: additions });
