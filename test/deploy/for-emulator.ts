import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const statement = z.looseObject({
  Effect: z.string(),
  Action: z.unknown(),
  Condition: z.record(z.string(), z.unknown()).optional(),
});

const isBatched = (action: unknown): boolean =>
  action === 'sqs:SendMessage' || action === 'sqs:ChangeMessageVisibility';

/** The statement as the emulator can evaluate it. The local stack of `npm start` evaluates the first two as they are. */
const evaluable = (given: z.output<typeof statement>): unknown => {
  const condition = JSON.stringify(given.Condition ?? {});
  // It never gives this key, so it would refuse every call of the key service.
  if (condition.includes('kms:EncryptionContext')) return { ...given, Condition: undefined };
  // It takes the resource of this call for "*", so it would refuse every mail.
  if (given.Action === 'ses:SendRawEmail') return { ...given, Resource: '*' };
  // It asks for actions of these names where AWS asks for those without "Batch".
  const actions = [given.Action].flat();
  if (actions.some(isBatched)) {
    return {
      ...given,
      Action: actions.flatMap((action) => (isBatched(action) ? [action, `${action}Batch`] : [action])),
    };
  }
  // It is called by HTTP, which these statements deny.
  if (condition.includes('aws:SecureTransport'))
    return { ...given, Condition: { Bool: { 'aws:SecureTransport': 'never' } } };
  return given;
};

/** Changes the templates of an assembly in what the emulator cannot evaluate, and in nothing else. */
export const adaptToEmulator = (assembly: string): void => {
  for (const file of globSync(join(assembly, '*.template.json'))) {
    const template: unknown = JSON.parse(readFileSync(file, 'utf8'), (_, value: unknown) => {
      const { success, data } = statement.safeParse(value);
      return success ? evaluable(data) : value;
    });
    writeFileSync(file, JSON.stringify(template));
  }
};
