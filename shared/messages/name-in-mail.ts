const longest = 60;

/** What mail programs make a link of: a URL, a host such as `evil.example`, also with the full stops of Chinese and Japanese, or an IP address. */
const link = /:\/\/|www\.|\S[.。．｡][\p{L}\p{M}]{2,}|(?:\d+\.){3}\d/iu;

/** What breaks a line, turns its direction or ends the quotation. */
const unsafe = /[\s\p{Cc}"“”„\u202a-\u202e\u2066-\u2069]+/gu;

const unnamed = { account: 'an account', webhook: 'a webhook' } as const;

/** How a mail from us names an account, or a webhook of it. Its owner chose the name, and could write to anyone in our name with it. */
export const nameInMail = (kind: keyof typeof unnamed, name: string): string => {
  const letters = [...name.replace(unsafe, ' ').trim()];
  if (link.test(name) || letters.length === 0) return unnamed[kind];
  return `the ${kind} “${letters.slice(0, longest).join('')}${letters.length > longest ? '…' : ''}”`;
};
