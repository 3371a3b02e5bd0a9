interface Needs {
  readonly signIns: { lendNoMore(hash: string): Promise<void>; signOut(hash: string): Promise<void> };
  readonly accessKeys: {
    end(person: string, those: { readonly session: string }, nowMs: number): Promise<void>;
  };
}

/**
 * Ends a session and the keys that were lent in it. The session is last: where a run is cut off, it can still be ended, also by itself. Until then no
 * more keys are lent in it.
 */
export const endSessionWithKeys = async (
  { signIns, accessKeys }: Needs,
  person: string,
  { id, hash }: { readonly id: string; readonly hash: string },
  nowMs: number,
): Promise<void> => {
  await signIns.lendNoMore(hash);
  await accessKeys.end(person, { session: id }, nowMs);
  await signIns.signOut(hash);
};
