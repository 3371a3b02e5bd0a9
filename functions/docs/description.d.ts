/** The output of `shared/docs` for the contracts, generated while functions are bundled. */
declare module 'virtual:description' {
  import type { StoredFile } from '../../shared/http/site.ts';
  export const openapiAdmin: string;
  export const files: Readonly<Record<string, StoredFile>>;
}
