/** Makes a thing for each of a few texts, such as names, when it is first asked for. Nothing that was made is forgotten. */
export const onceFor = <T>(make: (text: string) => T): ((text: string) => T) => {
  const made = new Map<string, T>();
  return (text) => {
    const value = made.get(text) ?? make(text);
    made.set(text, value);
    return value;
  };
};
