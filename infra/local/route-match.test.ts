import { describe, expect, test } from 'vitest';
import { createRouter } from './route-match.ts';

const routerOf = (...keys: string[]) => {
  const router = createRouter(keys.map((key) => ({ key, functionName: key })));
  return (method: string, path: string) => {
    const found = router(method, path);
    return found && [found.route.key, found.pathParameters];
  };
};

describe('the route that answers', () => {
  const route = routerOf(
    '$default',
    'ANY /{proxy+}',
    'GET /pets/{proxy+}',
    'GET /pets/{kind}/{id}',
    'GET /pets/dog/{id}',
    'ANY /pets/dog/1',
    'GET /pets/dog/1',
    'ANY /',
  );

  test.each([
    ['GET', '/pets/dog/1', 'GET /pets/dog/1', {}],
    ['POST', '/pets/dog/1', 'ANY /pets/dog/1', {}],
    ['GET', '/pets/dog/2', 'GET /pets/dog/{id}', { id: '2' }],
    ['GET', '/pets/cat/2', 'GET /pets/{kind}/{id}', { kind: 'cat', id: '2' }],
    ['GET', '/pets/cat/2/toys', 'GET /pets/{proxy+}', { proxy: 'cat/2/toys' }],
    ['POST', '/pets/cat/2', 'ANY /{proxy+}', { proxy: 'pets/cat/2' }],
    ['GET', '/pets', 'ANY /{proxy+}', { proxy: 'pets' }],
    ['GET', '/', 'ANY /', {}],
    ['OPTIONS', '*', '$default', {}],
  ])('%s %s: %s', (method, path, key, parameters) => {
    expect(route(method, path)).toEqual([key, parameters]);
  });

  test('is the same in any order the template lists them', () => {
    const keys = ['GET /a/b', 'ANY /a/b', 'GET /a/{x}', 'GET /{y}/b', 'ANY /a/{proxy+}', 'GET /{proxy+}'];
    for (const route of [routerOf(...keys), routerOf(...keys.toReversed())]) {
      expect(route('GET', '/a/b')).toEqual(['GET /a/b', {}]);
      expect(route('PUT', '/a/b')).toEqual(['ANY /a/b', {}]);
      expect(route('GET', '/a/c')).toEqual(['GET /a/{x}', { x: 'c' }]);
      expect(route('GET', '/c/b')).toEqual(['GET /{y}/b', { y: 'c' }]);
      expect(route('GET', '/a/b/c')).toEqual(['ANY /a/{proxy+}', { proxy: 'b/c' }]);
      expect(route('GET', '/c/c')).toEqual(['GET /{proxy+}', { proxy: 'c/c' }]);
    }
  });

  test('is undefined when none matches', () => {
    const route = routerOf('GET /messages/{id}');
    expect(route('POST', '/messages/1')).toBeUndefined();
    expect(route('HEAD', '/messages/1')).toBeUndefined();
    expect(route('GET', '/messages')).toBeUndefined();
    expect(route('GET', '/messages/')).toBeUndefined();
    expect(route('GET', '/messages/1/')).toBeUndefined();
    expect(route('GET', '/messages/1/2')).toBeUndefined();
  });
});

describe('path parameters', () => {
  const route = routerOf('GET /items/{id}', 'GET /files/{path+}');

  test.each([
    ['/items/a%20b%2Bc+d', { id: 'a b+c+d' }],
    ['/items/a%2Fb', { id: 'a/b' }],
    ['/items/%E0%A6%AC', { id: 'ব' }],
    ['/items/100%', { id: '100%' }],
    ['/it%65ms/1', { id: '1' }],
    ['/items/__proto__', { id: '__proto__' }],
    ['/files/a/b%20c/', { path: 'a/b c/' }],
  ])('of %s', (path, parameters) => {
    expect(route('GET', path)?.[1]).toEqual(parameters);
  });
});
