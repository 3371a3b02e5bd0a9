import { picture } from '../../../shared/http/page.ts';
import * as live from '../../../shared/live.ts';

export const handler = picture(({ id = '' }) => live.logos().find(id));
