import { useState } from 'preact/hooks';
import { overNetwork, ServiceError } from '../client/client.ts';
import { Form, TextField } from './parts/form.tsx';
import { textIn } from './parts/form-values.ts';
import { Screen } from './parts/screen.tsx';
import { usePlace } from './place.ts';
import { signOut } from './session.ts';
import { Logo } from './shell.tsx';

interface Refused {
  readonly error?: { readonly code?: string; readonly message?: string };
}

/** Asks for a link by email. The answer never says whether the address is known. */
const requestLink = async (email: string): Promise<void> => {
  const body = JSON.stringify({ email });
  const headers = { 'content-type': 'application/json' };
  const answer = await overNetwork(fetch('/dashboard/sign-in', { method: 'POST', headers, body }));
  if (answer.ok) return;
  const { error }: Refused = await answer.json().catch(() => ({}));
  const { code = 'unknown', message = 'The link could not be sent. Try again in a minute.' } = error ?? {};
  throw new ServiceError({ status: answer.status, code, message, requestId: answer.headers.get('x-request-id') });
};

/** Why a person is here who did not ask for it. */
const problems: ReadonlyMap<string | null, string> = new Map([
  ['expired', 'This link has expired or was used already. Request another one.'],
  ['email', 'Enter an email address.'],
  ['ended', 'Your session has ended. Sign in again, and you return to where you were.'],
]);

/** A page led here, by a link that would make this person another one. */
const OtherPersonsLink = () => (
  <Screen title="This link is for another person">
    <p>You are signed in as one person, and this link is for another. To use it, sign out, and then open it again.</p>
    <div class="actions">
      <a class="button" href="/dashboard">
        Stay signed in
      </a>
      <button type="button" onClick={signOut}>
        Sign out
      </button>
    </div>
  </Screen>
);

export const SignIn = () => {
  const { query } = usePlace();
  const reason = query.get('problem');
  const problem = problems.get(reason);
  // A form without scripts leads here, and does not say which address it had.
  const [sentTo, setSentTo] = useState(query.has('sent') ? 'your address' : undefined);
  if (reason === 'other')
    return (
      <main class="alone">
        <Logo />
        <OtherPersonsLink />
      </main>
    );
  return (
    <main class="alone">
      <Logo />
      {sentTo === undefined ? (
        <Screen key="ask" title="Sign in">
          {problem ? (
            <p class="notice waiting" role="alert">
              {problem}
            </p>
          ) : null}
          <Form
            submit="Email me a link"
            onSubmit={async (values) => {
              const email = textIn(values, 'email');
              await requestLink(email);
              setSentTo(email);
            }}
          >
            <TextField
              name="email"
              label="Email address"
              type="email"
              autoComplete="email"
              hint="We send you a link. You need no password."
            />
          </Form>
        </Screen>
      ) : (
        <Screen key="sent" title="Check your email">
          <p>
            If <strong>{sentTo}</strong> belongs to a member, a link is on its way. It works once, for 10 minutes.
          </p>
          <button type="button" onClick={() => setSentTo(undefined)}>
            Use another address
          </button>
        </Screen>
      )}
    </main>
  );
};
