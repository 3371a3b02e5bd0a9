/**
 * The idempotency key of a person or an operator token, apart from the same key of the account's own server: that comes from a header, which has
 * no line break. `whose` is stored with it.
 */
export const keyOfPeople = (whose: 'operator' | 'people', key: string): string => `${whose}\n${key}`;
