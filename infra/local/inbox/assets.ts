import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import type { Reply, Routes } from '../emulators/local-server.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const asset = (type: string, body: string): Reply => ({
  status: 200,
  headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' },
  body,
});

/** The inbox looks like the dashboard: it has the same base. */
const styleSheets = ['shared/dashboard/base.css', 'infra/local/inbox/inbox.css'];

const script = 'infra/local/inbox/browser/inbox.ts';

/** The stylesheet and the script of the inbox, made when a browser asks. */
export const assetRoutes: Routes = {
  'GET /inbox.css': () => asset('text/css', styleSheets.map(read).join('\n')),
  'GET /inbox.js': () => asset('text/javascript', transformSync(read(script), { loader: 'ts' }).code),
};
