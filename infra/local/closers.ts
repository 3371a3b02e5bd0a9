interface Closable {
  close(): unknown;
}

/** Notes that a part is to be closed, and returns it. */
export type Opened = <Part extends Closable>(part: Part) => Part;

/** What was opened is closed in the opposite order. */
export const openClosers = () => {
  const parts: Closable[] = [];
  const opened: Opened = (part) => {
    parts.push(part);
    return part;
  };
  const close = async (): Promise<void> => {
    for (const part of parts.splice(0).reverse()) await part.close();
  };
  return { opened, close };
};
