/** Text that is written into a page unescaped. */
export interface Markup {
  readonly markup: string;
}

type Part = string | Markup | readonly Markup[];

/** A template that escapes its values, except those that are markup already. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup => ({
  markup: String.raw({ raw: texts }, ...parts.map(render)),
});

function render(part: Part): string {
  if (typeof part === 'string') return escapeHtml(part);
  return 'markup' in part ? part.markup : part.map(render).join('');
}

export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
