import * as z from 'zod';

const reply = z.object({ data: z.unknown() });

/** A client of the running stack's admin API. */
export const adminClient = (url: string, adminToken: string) => ({
  /** @throws Error with the API's message when it refuses the call */
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
