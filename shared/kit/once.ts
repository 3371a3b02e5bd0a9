/** Makes something when it is first asked for. Marked pure, a bundle that never asks leaves it out. */
export const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
