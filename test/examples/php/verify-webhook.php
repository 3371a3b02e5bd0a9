<?php
// Verifies a delivery: its raw body is read from stdin (on a web server: php://input).
// WEBHOOK_SECRET: the subscription's secret. SIGNATURE: the header X-Service-Signature.

$rawBody = file_get_contents('php://stdin');

function is_genuine(string $rawBody, ?string $signature, string $secret, int $now): bool
{
    // There are several signatures while a secret is rotated.
    if (!preg_match('/^t=([0-9]+)((?:,v1=[0-9a-f]{64})+)$/D', $signature ?? '', $parts)) {
        return false;
    }
    // Without a secret, anyone can sign.
    if ($secret === '' || abs($now - (int) $parts[1]) > 300) {
        return false;
    }
    $expected = hash_hmac('sha256', $parts[1] . '.' . $rawBody, $secret);
    foreach (array_slice(explode(',v1=', $parts[2]), 1) as $each) {
        if (hash_equals($expected, $each)) {
            return true;
        }
    }
    return false;
}

if (!is_genuine($rawBody, getenv('SIGNATURE') ?: null, (string) getenv('WEBHOOK_SECRET'), (int) (getenv('NOW') ?: time()))) {
    fwrite(STDERR, "not genuine: answer with 400\n");
    exit(1);
}
// Answer with 200 at once, and process each id once.
$event = json_decode($rawBody, true);
echo json_encode(['id' => $event['id'], 'event' => $event['event']]), "\n";
