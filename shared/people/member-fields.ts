import * as z from 'zod';
import { exampleId } from '../kit/id.ts';
import { role } from './person.ts';

const instant = z.string().meta({ format: 'date-time', examples: ['2026-11-20T12:00:00.000Z'] });
const email = z.string().meta({ examples: ['ada@example.com'] });

const operatorFields = {
  id: z.string().meta({ examples: [exampleId] }),
  email,
  createdAt: instant,
  invitedBy: z.string().meta({ examples: ['grace@example.com'] }),
};

/** A member of an account, as shown. */
export const member = z
  .object({ ...operatorFields, role: role.meta({ examples: ['developer'] }) })
  .meta({ id: 'Member', description: 'A person who may use an account.' });

/** An operator of the platform, as shown. */
export const operator = z
  .object(operatorFields)
  .meta({ id: 'Operator', description: 'A person who may use every account.' });

export const operatorToken = z
  .object({
    id: z.string().meta({ examples: [exampleId] }),
    name: z.string().meta({ examples: ['Billing job'] }),
    prefix: z.string().meta({ examples: ['ot_0123'] }),
    createdAt: instant,
    createdBy: z
      .string()
      .nullable()
      .describe(
        'The email address of the operator, or the name of the token or command; null for a token from an earlier release.',
      )
      .meta({ examples: ['grace@example.com'] }),
  })
  .meta({ id: 'OperatorToken', description: 'An operator token without its secret part.' });

/** An entry of the audit log, as shown. */
export const auditEntry = z
  .object({
    id: z.string().meta({ examples: [exampleId] }),
    at: instant,
    actor: z
      .object({
        kind: z.enum(['session', 'token']),
        email: z.string().nullable().describe('Of the person; null for a token.'),
        name: z.string().nullable().describe('Of the token; null for a person.'),
      })
      .meta({ examples: [{ kind: 'session', email: 'ada@example.com', name: null }] }),
    action: z.string().meta({ examples: ['POST /admin/v1/accounts/{id}/api-keys'] }),
    resource: z
      .string()
      .describe('What was changed: the path, and the id of what was made there.')
      .meta({ examples: [`/admin/v1/accounts/${exampleId}/api-keys/${exampleId}`] }),
    accountId: z
      .string()
      .nullable()
      .meta({ examples: [exampleId] }),
    status: z
      .int()
      .nullable()
      .describe('Of the answer; null when the change was begun and its end is not known.')
      .meta({ examples: [201] }),
    address: z
      .string()
      .describe(
        'The IP address that the change came from; for one in the messaging or checkout API, where its short-lived key was created, at most 15 minutes before.',
      )
      .meta({ examples: ['203.0.113.7'] }),
    userAgent: z
      .string()
      .describe('The browser or program that the change came from, as with `address`.')
      .meta({ examples: ['Mozilla/5.0'] }),
  })
  .meta({ id: 'AuditEntry', description: 'A change that a person or a token made or tried.' });
