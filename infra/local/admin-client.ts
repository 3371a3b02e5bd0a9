import * as z from 'zod';

const reply = z.object({ data: z.unknown() });

/** Calls of the stack's own admin API. */
export const adminClient = (url: string, adminToken: string) => ({
  /** @throws Error with what the API said, when it refused */
  call: async <T>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    path: string,
    answer: z.ZodType<T>,
    body?: unknown,
  ): Promise<T> => {
    const response = await fetch(`${url}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return answer.parse(reply.parse(JSON.parse(text)).data);
  },
});
