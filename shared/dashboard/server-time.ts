let aheadMs = 0;
/** The header is of whole seconds, and answers take a moment. */
const unnoticedMs = 60_000;

/** Learns the server's time from an answer: a device's clock may be wrong, and that of the local stack can be moved ahead. */
export const noteServerTime = ({ headers }: Pick<Response, 'headers'>): void => {
  const differsMs = Date.parse(headers.get('date') ?? '') - Date.now();
  if (!Number.isNaN(differsMs)) aheadMs = Math.abs(differsMs) > unnoticedMs ? differsMs : 0;
};

/** The time by the server's clock. */
export const serverNow = (): Date => new Date(Date.now() + aheadMs);
