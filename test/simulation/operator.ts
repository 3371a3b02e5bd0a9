import type { Code } from './bundle-functions.ts';
import type { World } from './world.ts';

/** The headers of an operator of the platform, who is there from the beginning of the world. */
export const operatorIn = async (
  { spared, timeline }: World,
  { inside }: Code,
  name: string,
): Promise<{ readonly authorization: string }> => {
  const token = await spared(async () => {
    const made = inside.makeOperatorToken();
    const named = { id: inside.newId(timeline.nowMs()), name, createdBy: 'world' };
    await inside.stores.signIns().createToken(made, named, inside.dataKeyMaker(inside.kms(), 'key'));
    return made;
  });
  return { authorization: `Bearer ${token}` };
};
