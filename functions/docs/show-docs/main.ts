import { files } from 'virtual:description';
import { site } from '../../../shared/http/site.ts';

export const handler = site(files, '/docs/missing');
