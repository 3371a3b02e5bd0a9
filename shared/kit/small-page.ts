const style = `
:root{color-scheme:light dark}
body{margin:0 auto;padding:3rem 1rem;max-width:32rem;font:1.125rem/1.6 system-ui,sans-serif;overflow-wrap:break-word}
h1{font-size:1.5rem;line-height:1.25}
button{font:inherit;padding:.6rem 1.25rem;cursor:pointer}
`.trim();

/** A page of a few words, and perhaps a form, that needs no script. */
export const smallPage = (title: string, content: string): string => `<!doctype html>
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
