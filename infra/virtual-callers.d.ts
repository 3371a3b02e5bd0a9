/** Made by `callers.ts` for each function while it is bundled. */
declare module 'virtual:callers' {
  /** Who may call the function of this folder, as its row says. */
  export const callersOf: <Does extends import('./callers.ts').Callable>(
    does: Does,
  ) => import('./callers.ts').CallersOf<Does>;
}
