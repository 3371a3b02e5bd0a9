// Creates a checkout session, and prints it: redirect the payer to its url. CHECKOUT_URL ends with /v1; CHECKOUT_KEY begins with sk_.
const { CHECKOUT_URL, CHECKOUT_KEY, ORDER = 'order-1042' } = process.env;
if (!CHECKOUT_URL || !CHECKOUT_KEY) {
  console.error('Set CHECKOUT_URL and CHECKOUT_KEY: npm start prints them as Checkout and sk_ key.');
  process.exit(1);
}

const answer = await fetch(`${CHECKOUT_URL}/checkout-sessions`, {
  method: 'POST',
  headers: {
    Authorization: `Bearer ${CHECKOUT_KEY}`,
    'Content-Type': 'application/json',
    // A retry with the same key returns the same session.
    'Idempotency-Key': ORDER,
  },
  body: JSON.stringify({ amountMinor: 600_000, currency: 'BDT', metadata: { orderId: ORDER } }),
});
const { data, error } = await answer.json();
if (error) throw new Error(`${answer.status} ${error.code}: ${error.message}`);
console.log(JSON.stringify(data));
