/** So many are more than a world has. */
const most = 10_000;

/** Gives what was made for a text before, and makes it only where there is none: what is made must follow from the text alone. */
export const remembering = <Made>() => {
  const known = new Map<string, Made>();
  return (text: string, make: () => Made): Made => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = make();
    if (known.size >= most) known.clear();
    known.set(text, made);
    return made;
  };
};
