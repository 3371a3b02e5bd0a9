import { files, frame, page } from 'virtual:dashboard';
import { app } from '../../../shared/http/app-files.ts';

export const handler = app({ page, frame, files });
