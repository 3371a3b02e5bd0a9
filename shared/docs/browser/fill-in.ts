import { dayMs } from '../../kit/time-units.ts';
import { exampleSendTime } from '../../messages/send-time.ts';
import { exampleHost, exampleKeys } from '../code/call.ts';
import { element } from './element.ts';
import { kept } from './kept.ts';

/** The dashboard keeps here which account was open last: a person has signed in on this browser, so asking is worthwhile. It is no secret. */
const accountName = 'dashboard:last-account';

/** Replaces the host in every sample by this one, and the time of a scheduled message by tomorrow; and, where a person is signed in, the keys by keys of their account that hold for minutes. */
export const fillIn = async (): Promise<void> => {
  replace(exampleHost, location.origin);
  replace(exampleSendTime, new Date(Date.now() + dayMs).toISOString());
  if (!kept.get(accountName)) return;
  const account = await accountOf(kept.get(accountName) ?? '');
  if (!account) return;
  const path = `/admin/v1/accounts/${account.id}/access-keys`;
  const isUsed = (key: string): boolean => blocksWith(key).length > 0;
  const asked = [
    [exampleKeys['/api/v1'], { api: 'messaging' }],
    [exampleKeys['/v1'], { api: 'checkout', livemode: false }],
  ] as const;
  const filled = await Promise.all(
    asked
      .filter(([key]) => isUsed(key))
      .map(async ([key, body]) => {
        const made = await ask(path, body);
        if (typeof made?.['key'] === 'string') replace(key, made['key']);
        return made !== undefined;
      }),
  );
  if (filled.includes(true)) sayWhose(account.name);
};

type Data = Readonly<Record<string, unknown>>;

/** The data of an answer; undefined when the call failed, as the page is then shown without. */
const ask = async (path: string, body?: object): Promise<Data | undefined> => {
  try {
    const answer = await fetch(path, {
      ...(body && {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    return answer.ok ? (await answer.json()).data : undefined;
  } catch {
    return undefined;
  }
};

interface Account {
  readonly id: string;
  readonly name: string;
}

/** The account that is open in the dashboard, if its reader is still signed in. */
const accountOf = async (id: string): Promise<Account | undefined> => {
  const me = await ask('/admin/v1/me');
  if (!me) return undefined;
  const accounts = (me['accounts'] ?? []) as readonly Account[];
  return (
    accounts.find((account) => account.id === id) ?? (me['isOperator'] ? { id, name: 'the open account' } : accounts[0])
  );
};

const textsOf = (block: Element): Text[] => {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts;
};

const blocksWith = (text: string): Element[] =>
  [...document.querySelectorAll('pre')].filter((block) => block.textContent?.includes(text));

const replace = (text: string, by: string): void => {
  for (const block of blocksWith(text)) {
    for (const part of textsOf(block)) part.data = part.data.replaceAll(text, by);
  }
};

const sayWhose = (name: string): void => {
  const line = `The samples have keys of ${name}. They work for 15 minutes; reload the page for new ones.`;
  document.querySelector('h1')?.after(element('p', { class: 'key', role: 'status' }, line));
};
