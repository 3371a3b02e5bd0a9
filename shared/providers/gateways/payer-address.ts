/** Whether a payer may be sent where a gateway says: a whole https address, or a plain http one while the gateway itself is called by http. */
export const isPayerAddress = (address: string, baseUrl: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  const isSealed = protocol === 'https:' || (protocol === 'http:' && baseUrl.startsWith('http:'));
  return isSealed && username === '' && password === '';
};
