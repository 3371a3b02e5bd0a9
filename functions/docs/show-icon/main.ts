import { icon } from '../../../shared/http/icon.ts';
import { page } from '../../../shared/http/page.ts';

const freshSeconds = 86_400;

export const handler = page({ type: 'image/svg+xml', text: icon, freshSeconds });
