import type { Invariant } from './invariants.ts';

export const visitorInvariants: readonly Invariant[] = [
  {
    name: 'opening the page of a session begins one payment at most, and a preview of it none',
    violations: ({ visitors, facts }) =>
      (visitors?.visited ?? []).flatMap(({ order, isOpened }) => {
        const id = order.answers.find(({ status }) => status === 201)?.body.data.id;
        const fact = facts.flatMap(({ sessions }) => sessions).find(({ session }) => session.id === id);
        const count = fact?.payments.length ?? 0;
        return count > Number(isOpened) ? [`${order.id}: ${count} payments`] : [];
      }),
  },
];
