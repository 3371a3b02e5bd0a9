/** The dashboard as browsers load it, made by `infra/browser-app.ts`. */
declare module 'virtual:dashboard' {
  import type { AppFile } from '../shared/http/app-files.ts';

  export const page: string;
  export const frame: string;
  export const files: Readonly<Record<string, AppFile>>;
}
