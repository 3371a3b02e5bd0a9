// Sends an email, and reads it back. API_URL ends with /api/v1; API_KEY begins with mk_.
const { API_URL, API_KEY, TO = 'ada@example.com' } = process.env;
if (!API_URL || !API_KEY) {
  console.error('Set API_URL and API_KEY: npm start prints them as Messaging and mk_ key.');
  process.exit(1);
}

const call = async (method, path, { body, headers } = {}) => {
  const answer = await fetch(API_URL + path, {
    method,
    headers: { 'X-API-Key': API_KEY, 'Content-Type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  });
  const { data, error } = await answer.json();
  if (error) throw new Error(`${answer.status} ${error.code}: ${error.message}`);
  return data;
};

// The number of your order: a retry with the same key does not send twice.
const headers = { 'Idempotency-Key': process.env.ORDER ?? 'order-1042' };
const body = { channel: 'email', to: TO, subject: 'Your order', text: 'It is on its way.' };
const { id } = await call('POST', '/messages', { body, headers });

console.log(JSON.stringify(await call('GET', `/messages/${id}`)));
