import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { curlOf } from './curl.ts';
import type { Endpoint } from './endpoints.ts';

const endpoint = (parts: Partial<Endpoint>): Endpoint => ({
  method: 'GET',
  server: '/api/v1',
  path: '/things/{id}',
  operation: { operationId: 'x', tags: [], summary: 's', security: [], parameters: [], responses: {} },
  key: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'd' },
  scope: 's',
  parameters: [{ name: 'id', in: 'path', required: true, schema: {}, example: 'a b' }],
  body: undefined,
  successes: [],
  refusals: [],
  ...parts,
});

/** The command as a shell parses it. */
const argumentsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], {
    encoding: 'utf8',
    env: { BASE_URL: 'https://h/api/v1', API_KEY: 'mk_1' },
  })
    .split('\0')
    .slice(0, -1);

it('puts example ids into the path', () => {
  expect(argumentsOf(curlOf(endpoint({})))).toEqual(['https://h/api/v1/things/a%20b', '-H', 'X-API-Key: mk_1']);
});

it('sends the key as the API requires it, and none where none is required', () => {
  const key = { type: 'http', scheme: 'bearer', description: 'd' } as const;
  expect(argumentsOf(curlOf(endpoint({ key })))).toContain('Authorization: Bearer mk_1');
  expect(argumentsOf(curlOf(endpoint({ key: undefined })))).toEqual(['https://h/api/v1/things/a%20b']);
});

it('names the method where curl’s default differs', () => {
  expect(argumentsOf(curlOf(endpoint({ method: 'DELETE' }))).slice(0, 2)).toEqual(['-X', 'DELETE']);
  expect(argumentsOf(curlOf(endpoint({ method: 'POST' }))).slice(0, 2)).toEqual(['-X', 'POST']);
});

it('passes a body through the shell unchanged', () => {
  const example = { text: `it's "$HOME" \`id\` \\ ${'\n'} %` };
  const body = argumentsOf(curlOf(endpoint({ method: 'POST', body: { schema: {}, example } }))).at(-1);
  expect(JSON.parse(body ?? '')).toEqual(example);
});
