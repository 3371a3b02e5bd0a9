/** What a browser keeps for us. A reader may forbid that; then nothing is kept. */
export const kept = {
  get: (name: string): string | null => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  set: (name: string, value: string): void => {
    try {
      localStorage.setItem(name, value);
    } catch {
      // The choice then holds for this page.
    }
  },
};
