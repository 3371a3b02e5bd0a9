import type { Endpoint } from './endpoints.ts';

/** The endpoint's example as a command for a shell in which `BASE_URL` and `API_KEY` are set. */
export const curlOf = ({ method, path, parameters, body }: Endpoint): string => {
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters.find((parameter) => parameter.name === name)?.example)),
  );
  const isUsual = method === 'GET' || (method === 'POST' && body);
  const lines = [
    `curl ${isUsual ? '' : `-X ${method} `}"$BASE_URL${url}"`,
    `-H "X-API-Key: $API_KEY"`,
    ...(body ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body.example, null, 2))}`] : []),
  ];
  return lines.join(' \\\n  ');
};

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
