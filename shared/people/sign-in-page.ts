import { smallPage } from '../kit/small-page.ts';

/** Shown at a sign-in link that perhaps only a program has opened, such as a mail scanner: the button uses the link. */
export const signInPage = smallPage(
  'Sign in',
  `<p>The link in your mail opens the dashboard.</p>
<form method="post">
<button>Sign in</button>
</form>`,
);
