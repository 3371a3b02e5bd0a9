/** The answer is in the headers. */
export const answerPreflight = async (): Promise<undefined> => undefined;
