/** The alphabet of GSM 03.38 (3GPP TS 23.038, section 6.2.1): each of its characters takes one septet. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/** Its extension (section 6.2.1.1): written as an escape and a second septet. */
const extension = new Set('\f^{}\\[~]|€');

/**
 * How many units, septets or 16-bit units, fit into a message: alone, and in each segment of a concatenated one, which begins with a
 * header of six octets (section 9.2.3.24 of TS 23.040).
 */
const capacities = {
  gsm7: { alone: 160, concatenated: 153 },
  ucs2: { alone: 70, concatenated: 67 },
} as const;

/** How an sms travels, and what it costs: one credit for each segment. */
export interface Segments {
  readonly encoding: keyof typeof capacities;
  readonly segments: number;
}

/** A text of more segments is not taken. */
export const mostSegments = 10;

/** The units that a character takes in each encoding. None is ever divided: no escape from what it escapes, no surrogate from the other. */
const units: Readonly<Record<Segments['encoding'], (character: string) => number>> = {
  gsm7: (character) => (extension.has(character) ? 2 : 1),
  ucs2: (character) => character.length,
};

const isGsm7 = (text: string): boolean => {
  for (const character of text) if (!basic.has(character) && !extension.has(character)) return false;
  return true;
};

/**
 * The segments of a text: GSM-7 when its alphabet has every character, else UCS-2 for the whole of it. An empty text is one segment.
 * A character of two units may leave a unit empty at the end of a segment, so segments are filled one by one instead of divided.
 */
export const segmentsOf = (text: string): Segments => {
  const encoding = isGsm7(text) ? 'gsm7' : 'ucs2';
  const { alone, concatenated } = capacities[encoding];
  let total = 0;
  let segments = 1;
  let filled = 0;
  for (const character of text) {
    const size = units[encoding](character);
    total += size;
    if (filled + size > concatenated) {
      segments += 1;
      filled = 0;
    }
    filled += size;
  }
  return { encoding, segments: total <= alone ? 1 : segments };
};
