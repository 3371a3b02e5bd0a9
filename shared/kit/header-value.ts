/** Whether `fetch` accepts a text as a header value: Latin-1 without control characters. */
export const isHeaderValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
