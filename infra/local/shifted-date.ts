let aheadMs = 0;
let isShifted = false;

/** How far `Date` of this process is ahead of the machine's clock. */
export const dateAheadMs = (): number => aheadMs;

/** The machine's own time, which other programs and the file system go by. */
export const machineNowMs = (): number => Date.now() - aheadMs;

/**
 * Puts `Date` of this process ahead of the machine's clock, for all code in it, libraries included. Timers keep their pace. Call it before
 * loading code that keeps a reference to `Date.now`.
 */
export const putDateAhead = (byMs: number): void => {
  aheadMs = byMs;
  if (!isShifted) shiftDate();
  isShifted = true;
};

/** A proxy, because an instance of a subclass would not be the `Date` that the runtime itself creates. */
const shiftDate = (): void => {
  const MachineDate = Date;
  const machineNow = Date.now;
  const now = (): number => machineNow() + aheadMs;
  MachineDate.now = now;
  globalThis.Date = new Proxy(MachineDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new MachineDate(now()).toString(),
  });
};
