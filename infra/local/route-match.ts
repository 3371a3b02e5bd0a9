import type { RouteSpec } from './blueprint.ts';

export interface RouteMatch {
  readonly route: RouteSpec;
  /** Decoded, by name. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** The route of a request, if one matches. `path` is as the client wrote it, with escapes and trailing slash. */
type Router = (method: string, path: string) => RouteMatch | undefined;

interface Pattern {
  readonly route: RouteSpec;
  readonly method: string;
  readonly parts: readonly Part[];
  /** Patterns are tried in sort order. */
  readonly rank: string;
}

interface Part {
  readonly kind: keyof typeof partRanks;
  readonly text: string;
}

const partRanks = { fixed: '0', parameter: '1', greedy: '2' } as const;

/**
 * The order of an HTTP API: a full match before a greedy one before `$default`; a fixed segment before
 * a parameter; at the same path, the method before ANY.
 */
export const createRouter = (routes: readonly RouteSpec[]): Router => {
  const fallback = routes.find(({ key }) => key === '$default');
  const patterns = routes
    .filter((route) => route !== fallback)
    .map(patternOf)
    .sort((one, other) => one.rank.localeCompare(other.rank));

  return (method, path) => {
    const segments = segmentsOf(path).map(decoded);
    for (const pattern of patterns) {
      const isCandidate = pattern.method === method || pattern.method === 'ANY';
      const pathParameters = isCandidate ? bind(pattern.parts, segments) : undefined;
      if (pathParameters) return { route: pattern.route, pathParameters };
    }
    return fallback && { route: fallback, pathParameters: {} };
  };
};

const patternOf = (route: RouteSpec): Pattern => {
  const [method = '', path = ''] = route.key.split(' ');
  const parts = segmentsOf(path).map(partOf);
  const isGreedy = parts.some(({ kind }) => kind === 'greedy');
  const rank = [isGreedy ? '1' : '0', ...parts.map(({ kind }) => partRanks[kind]), method === 'ANY' ? '1' : '0'];
  return { route, method, parts, rank: rank.join('') };
};

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

const partOf = (segment: string): Part => {
  const [, name, plus] = /^\{(.+?)(\+?)\}$/.exec(segment) ?? [];
  if (name === undefined) return { kind: 'fixed', text: segment };
  return { kind: plus ? 'greedy' : 'parameter', text: name };
};

/** The parameters when the path matches. A parameter is never empty. */
const bind = (parts: readonly Part[], segments: readonly string[]): Record<string, string> | undefined => {
  const bound: [string, string][] = [];
  let rest = segments;
  for (const { kind, text } of parts) {
    const value = kind === 'greedy' ? rest.join('/') : (rest[0] ?? '');
    if (rest.length === 0 || (kind === 'fixed' ? value !== text : value === '')) return undefined;
    if (kind !== 'fixed') bound.push([text, value]);
    rest = kind === 'greedy' ? [] : rest.slice(1);
  }
  return rest.length === 0 ? Object.fromEntries(bound) : undefined;
};

/** A malformed escape stays as it is. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
