import { describe, expect, it } from 'vitest';
import { visit } from '../../../shared/http/page-fixture.ts';
import { handler } from './main.ts';

describe('GET /unsubscribe/{token}', () => {
  it('200 asks with one button, which sends a form to where the page is', async () => {
    const { status, text } = await visit(handler);
    expect(status).toBe(200);
    expect(text.match(/<form method="post">/g)).toHaveLength(1);
    expect(text.match(/<button>Unsubscribe<\/button>/g)).toHaveLength(1);
  });

  it('is accessible: a language, a title, one heading, light and dark mode', async () => {
    const { text } = await visit(handler);
    expect(text).toMatch(/<html lang="en">[\s\S]*<title>[^<]+<\/title>[\s\S]*<main>\s*<h1>[^<]+<\/h1>/);
    expect(text).toContain('color-scheme:light dark');
  });

  it('lets a browser load and run nothing, and send the form to us alone', async () => {
    const { headers, text } = await visit(handler);
    expect(String(headers['Content-Security-Policy'])).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(text).not.toMatch(/<script|<img|<link|\ssrc=|\son\w+=|\sstyle=/);
  });
});
