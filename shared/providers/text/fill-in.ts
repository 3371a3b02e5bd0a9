/** The values of the placeholders in a gateway's templates. */
export type Values = Readonly<
  Record<'to' | 'toDigits' | 'from' | 'text' | 'encoding' | 'messageId' | 'reportUrl', string>
>;

type Escape = (value: string) => string;

/** Fills each placeholder once, and none inside a value. */
const filled = (template: string, values: Values, escaped: Escape): string => {
  const named = new Map(Object.entries(values));
  return template.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => {
    const value = named.get(name);
    return value === undefined ? place : escaped(value.toWellFormed());
  });
};

const inJson: Escape = (value) => JSON.stringify(value).slice(1, -1);
const inXml: Escape = (value) =>
  value
    .replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll(/[^\t\n\r\x20-\u{10FFFF}]/gu, '');
/** Headers are ASCII: other characters and line breaks are percent-encoded. */
const inHeader: Escape = (value) => value.replaceAll(/[^\x20-\x7e]/gu, encodeURIComponent);
const asItIs: Escape = (value) => value;

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

const escapeFor = (contentType: string): Escape => {
  if (/[/+]json\b/i.test(contentType)) return inJson;
  if (/[/+]xml\b/i.test(contentType)) return inXml;
  return contentType.toLowerCase().startsWith(form) ? encodeURIComponent : asItIs;
};

interface Templates {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Without a Content-Type header, a body is JSON if it begins like JSON, otherwise a form. */
const contentTypeOf = ({ headers, body }: Templates): string | undefined => {
  const contentType = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  if (contentType !== undefined || body === '') return contentType;
  return /^\s*[{[]/.test(body) ? json : form;
};

/** The templates with their values, each escaped for its context. */
export const fillIn = (templates: Templates, values: Values): Templates => {
  const contentType = contentTypeOf(templates);
  const headers = Object.entries(templates.headers)
    .filter(([name]) => name.toLowerCase() !== 'content-type')
    .map(([name, value]): [string, string] => [name, filled(value, values, inHeader)]);
  return {
    url: filled(templates.url, values, encodeURIComponent),
    headers: { ...Object.fromEntries(headers), ...(contentType !== undefined && { 'Content-Type': contentType }) },
    body: filled(templates.body, values, escapeFor(contentType ?? '')),
  };
};
