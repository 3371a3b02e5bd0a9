/** Notes how a part is closed, and returns it. */
export type Opened = <T>(part: T, close: (part: T) => unknown) => T;

/** What was opened is closed in the opposite order. */
export const openClosers = () => {
  const closers: (() => unknown)[] = [];
  const opened: Opened = (part, close) => {
    closers.push(() => close(part));
    return part;
  };
  const close = async (): Promise<void> => {
    for (const closeOne of closers.splice(0).reverse()) await closeOne();
  };
  return { opened, close };
};
