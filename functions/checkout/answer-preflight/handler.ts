/** What a browser wants to know stands in the headers. */
export const answerPreflight = async (): Promise<undefined> => undefined;
