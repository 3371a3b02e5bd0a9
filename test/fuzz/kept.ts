/** A method that does not exist is made, with an id of its own. */
const isReference = /acceptanceMethodId$/;

/** Texts of a request that are read otherwise at the same place, as `place: sent, read`. A list of texts is read with each once. */
export const changedTexts = (sent: unknown, read: unknown, at = ''): readonly string[] => {
  if (typeof sent === 'string' && typeof read === 'string') {
    const isKept = sent === read || sent.trim() === read || isReference.test(at);
    return isKept ? [] : [`${at}: ${JSON.stringify([sent, read])}`];
  }
  if (typeof sent === 'string' && read !== undefined) return [`${at}: ${JSON.stringify([sent, read])}`];
  if (!isObject(sent) || !isObject(read)) return [];
  const parts = Array.isArray(sent) && sent.every((part) => typeof part === 'string') ? [...new Set(sent)] : sent;
  return Object.entries(parts).flatMap(([name, part]) =>
    changedTexts(part, Object.hasOwn(read, name) ? Reflect.get(read, name) : undefined, `${at}.${name}`),
  );
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
