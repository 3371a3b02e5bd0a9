import type { SecurityScheme } from './document.ts';
import type { Endpoint } from './endpoints.ts';

/** The endpoint's example as a command for a shell in which `BASE_URL` and, if it needs a key, `API_KEY` are set. */
export const curlOf = ({ method, path, key, parameters, body }: Endpoint): string => {
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters.find((parameter) => parameter.name === name)?.example)),
  );
  const isUsual = method === 'GET' || (method === 'POST' && body);
  const lines = [
    `curl ${isUsual ? '' : `-X ${method} `}"$BASE_URL${url}"`,
    ...(key ? [`-H "${headerOf(key)}"`] : []),
    ...(body
      ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body.example ?? {}, null, 2))}`]
      : []),
  ];
  return lines.join(' \\\n  ');
};

const headerOf = ({ name, scheme }: SecurityScheme): string =>
  name ? `${name}: $API_KEY` : `Authorization: ${scheme === 'bearer' ? 'Bearer' : scheme} $API_KEY`;

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
