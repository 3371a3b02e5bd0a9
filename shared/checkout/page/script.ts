/**
 * The pages' one script, in the browsers' own language. It sends no form twice, shows which button is busy, and checks a waiting screen without
 * reloading it: the page is read again, its status is put in place, so that screen readers say what is new, and it is
 * shown only when it is another one or has other forms, and when nothing is being sent, which a reload would break off.
 * Without the script, the pages reload. Phones of before 2023 know no `AbortSignal.timeout`. Those of before 2020 know no `?.`, which makes all of
 * a script void. It stands in the page: a script of its own can get lost on a bad line, and then nothing would check, since the browser runs scripts.
 */
export const script = `
'use strict';
addEventListener('submit', (event) => {
  const form = event.target;
  if (form.hasAttribute('aria-busy')) return event.preventDefault();
  form.setAttribute('aria-busy', 'true');
  setTimeout(() => form.removeAttribute('aria-busy'), 20000);
});
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
let timer;
const checkAfter = (seconds) => {
  clearTimeout(timer);
  timer = setTimeout(check, seconds * 1000);
};
const secondsOn = (page) => page.querySelector('main').dataset.checkSeconds;
const statusOn = (page) => page.querySelector('[role=status]');
const check = async () => {
  try {
    const signal = AbortSignal.timeout ? AbortSignal.timeout(20000) : undefined;
    const answer = await fetch(location.href, { redirect: 'manual', signal });
    const text = await answer.text();
    if (document.querySelector('[aria-busy]')) return checkAfter(5);
    if (answer.type === 'opaqueredirect') return location.reload();
    if (!answer.ok) return checkAfter(15);
    const page = new DOMParser().parseFromString(text, 'text/html');
    const isSame = page.title === document.title && page.forms.length === document.forms.length;
    if (!secondsOn(page) || !isSame) return location.reload();
    const status = statusOn(document);
    const news = statusOn(page);
    if (status && status.innerHTML !== news.innerHTML) status.innerHTML = news.innerHTML;
    checkAfter(secondsOn(page));
  } catch {
    checkAfter(15);
  }
};
if (secondsOn(document)) {
  checkAfter(secondsOn(document));
  addEventListener('visibilitychange', () => document.hidden || checkAfter(0));
  addEventListener('online', () => checkAfter(0));
}
`
  .trim()
  .replaceAll(/^ +/gm, '');
