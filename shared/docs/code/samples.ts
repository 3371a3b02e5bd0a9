import type { Call } from './call.ts';
import { javascript, literalOf, php, python } from './literal.ts';

/** A piece of code in one language. */
export interface Sample {
  /** The name of its tab. */
  readonly language: string;
  readonly code: string;
}

const inShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const curl = ({ method, url, headers, body }: Call): string => {
  const isUsual = method === (body === undefined ? 'GET' : 'POST');
  return [
    `curl ${isUsual ? '' : `-X ${method} `}${/[?&]/.test(url) ? inShell(url) : url}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${inShell(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
};

const node = ({ method, url, headers, body, hasReply }: Call): string => {
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(Object.keys(headers).length === 0 ? [] : [`headers: ${literalOf(headers, javascript, 1)}`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${literalOf(body, javascript, 1)})`]),
  ];
  const given = options.length === 0 ? '' : `, {\n${options.map((option) => `  ${option},\n`).join('')}}`;
  return `const response = await fetch('${url}'${given});
console.log(response.status${hasReply ? ', await response.json()' : ''});`;
};

const pythonOf = ({ method, url, headers, body, hasReply }: Call): string => {
  const { 'Content-Type': _, ...others } = headers;
  const given = [
    JSON.stringify(url),
    ...(Object.keys(others).length === 0 ? [] : [`headers=${literalOf(others, python, 1)}`]),
    ...(body === undefined ? [] : [`json=${literalOf(body, python, 1)}`]),
  ];
  return `import requests

response = requests.${method.toLowerCase()}(
${given.map((part) => `    ${part},\n`).join('')})
print(response.status_code${hasReply ? ', response.json()' : ''})`;
};

const phpOf = ({ method, url, headers, body, hasReply }: Call): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const options = [
    ...(method === (body === undefined ? 'GET' : 'POST') ? [] : [`CURLOPT_CUSTOMREQUEST => '${method}'`]),
    ...(lines.length === 0 ? [] : [`CURLOPT_HTTPHEADER => ${literalOf(lines, php, 1)}`]),
    ...(body === undefined ? [] : [`CURLOPT_POSTFIELDS => json_encode(${literalOf(body, php, 1)})`]),
    'CURLOPT_RETURNTRANSFER => true',
  ];
  return `<?php
$curl = curl_init('${url}');
curl_setopt_array($curl, [
${options.map((option) => `    ${option},\n`).join('')}]);
${hasReply ? 'echo curl_exec($curl);' : 'curl_exec($curl);\necho curl_getinfo($curl, CURLINFO_HTTP_CODE);'}`;
};

const writers = { curl, Node: node, Python: pythonOf, PHP: phpOf } as const satisfies Record<
  string,
  (call: Call) => string
>;

/** The languages of requests, in the order of their tabs. */
export const requestLanguages = Object.keys(writers) as (keyof typeof writers)[];

/** A request in every language. */
export const samplesOf = (call: Call): Sample[] =>
  requestLanguages.map((language) => ({ language, code: writers[language](call) }));
