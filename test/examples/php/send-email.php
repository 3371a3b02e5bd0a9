<?php
// Sends an email, and reads it back. API_URL ends with /api/v1; API_KEY begins with mk_. It needs the extension curl.

if (!getenv('API_URL') || !getenv('API_KEY')) {
    fwrite(STDERR, "Set API_URL and API_KEY: npm start prints them as Messaging and mk_ key.\n");
    exit(1);
}

function call(string $method, string $path, ?array $body = null, array $headers = []): array
{
    $request = curl_init(getenv('API_URL') . $path);
    curl_setopt_array($request, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
        CURLOPT_HTTPHEADER => ['X-API-Key: ' . getenv('API_KEY'), 'Content-Type: application/json', ...$headers],
    ]);
    if ($body !== null) {
        curl_setopt($request, CURLOPT_POSTFIELDS, json_encode($body));
    }
    $text = curl_exec($request);
    if ($text === false) {
        throw new RuntimeException(curl_error($request));
    }
    $answer = json_decode($text, true);
    if (isset($answer['error'])) {
        throw new RuntimeException("{$answer['error']['code']}: {$answer['error']['message']}");
    }
    return $answer['data'];
}

// The number of your order: a retry with the same key does not send twice.
$key = 'Idempotency-Key: ' . (getenv('ORDER') ?: 'order-1042');
$mail = [
    'channel' => 'email',
    'to' => getenv('TO') ?: 'ada@example.com',
    'subject' => 'Your order',
    'text' => 'It is on its way.',
];
$sent = call('POST', '/messages', $mail, [$key]);

echo json_encode(call('GET', "/messages/{$sent['id']}")), "\n";
