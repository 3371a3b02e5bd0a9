const style = `
:root{color-scheme:light dark}
body{margin:0 auto;padding:3rem 1rem;max-width:32rem;font:1.125rem/1.6 system-ui,sans-serif;overflow-wrap:break-word}
h1{font-size:1.5rem;line-height:1.25}
button{font:inherit;padding:.6rem 1.25rem;cursor:pointer}
`.trim();

const pageOf = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;

/** A confirmation page, because mail scanners follow links: only the button unsubscribes. */
export const questionPage = pageOf(
  'Unsubscribe',
  `<p>Do you want to stop receiving messages from this sender?</p>
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button>Unsubscribe</button>
</form>`,
);

/** The result page. */
export const answerPages = {
  done: pageOf(
    'You are unsubscribed',
    '<p>You will receive no more SMS and WhatsApp messages from this sender, unless you agree to them again. Emails about your account or orders may still arrive.</p>',
  ),
  /** The sender knows no phone number of this person, so nothing can be said about texts. */
  doneForAddress: pageOf(
    'You are unsubscribed',
    '<p>The email address of this message is on the sender’s list of unsubscribed addresses. Emails about your account or orders may still arrive.</p>',
  ),
  erased: pageOf(
    'Your address was deleted',
    '<p>The sender has deleted the address that this message went to, so this link can no longer unsubscribe it. If you get another message, please use the link in that one.</p>',
  ),
  unknown: pageOf('This link does not work', '<p>Please open the complete link from the message again.</p>'),
  busy: pageOf('Please wait', '<p>There are too many requests from your network. Please try again in a minute.</p>'),
  failed: pageOf('Something went wrong', '<p>The error is on our side. Please try again in a few minutes.</p>'),
} as const;
