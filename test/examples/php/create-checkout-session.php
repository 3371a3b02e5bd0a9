<?php
// Creates a checkout session, and prints it: redirect the payer to its url.
// CHECKOUT_URL ends with /v1; CHECKOUT_KEY begins with sk_. It needs the extension curl.

if (!getenv('CHECKOUT_URL') || !getenv('CHECKOUT_KEY')) {
    fwrite(STDERR, "Set CHECKOUT_URL and CHECKOUT_KEY: npm start prints them as Checkout and sk_ key.\n");
    exit(1);
}

$order = getenv('ORDER') ?: 'order-1042';
$request = curl_init(getenv('CHECKOUT_URL') . '/checkout-sessions');
curl_setopt_array($request, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('CHECKOUT_KEY'),
        'Content-Type: application/json',
        // A retry with the same key returns the same session.
        "Idempotency-Key: $order",
    ],
    CURLOPT_POSTFIELDS => json_encode(['amountMinor' => 600000, 'currency' => 'BDT', 'metadata' => ['orderId' => $order]]),
]);
$text = curl_exec($request);
if ($text === false) {
    throw new RuntimeException(curl_error($request));
}
$answer = json_decode($text, true);
if (isset($answer['error'])) {
    throw new RuntimeException("{$answer['error']['code']}: {$answer['error']['message']}");
}
echo json_encode($answer['data']), "\n";
