import { type Html, html } from '../../kit/html.ts';

const mostInGroup = 4;

/** Splits an id into groups of at most four characters, as even as possible, which can be read aloud. Together they are the id. */
export const groupsOf = (id: string): readonly string[] =>
  (id.match(/[a-z\d]+[^a-z\d]*|[^a-z\d]+/gi) ?? []).flatMap((run) => {
    const [word = '', rest] = [/^[a-z\d]+/i.exec(run)?.[0] ?? '', run.replace(/^[a-z\d]+/i, '')];
    const count = Math.max(1, Math.ceil(word.length / mostInGroup));
    const ends = Array.from({ length: count + 1 }, (_, n) => Math.ceil((word.length * n) / count));
    return ends.slice(1).map((end, n) => word.slice(ends[n], end) + (n === count - 1 ? rest : ''));
  });

/** An id in groups that are apart on the screen. Copied, it is the id without gaps. */
export const spelled = (id: string): Html =>
  html`<bdi class="id" title="${id}">${groupsOf(id).map((group) => html`<span>${group}</span>`)}</bdi>`;
