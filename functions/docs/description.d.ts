/** The output of `shared/docs` for the contracts, generated while functions are bundled. */
declare module 'virtual:description' {
  export const openapi: string;
  export const openapiFull: string;
  export const openapiCheckout: string;
  export const openapiAdmin: string;
  export const reference: string;
  export const additions: string;
  export const checkout: string;
  export const admin: string;
  export const errors: string;
  export const webhooks: string;
  export const runbook: string;
  export const start: string;
}
