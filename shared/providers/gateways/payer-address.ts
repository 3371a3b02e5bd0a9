/**
 * Where a gateway sends a payer, as browsers write it, so that a header can hold it. Undefined unless it is a whole https address, or a plain http one
 * while the gateway itself is called by http.
 */
export const payerAddressIn = (text: string, baseUrl: string): string | undefined => {
  const address = URL.parse(text);
  if (!address) return undefined;
  const { protocol, username, password, href } = address;
  const isSealed = protocol === 'https:' || (protocol === 'http:' && baseUrl.startsWith('http:'));
  return isSealed && username === '' && password === '' ? href : undefined;
};
