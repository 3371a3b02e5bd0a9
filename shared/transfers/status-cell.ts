/** Why a row with this status is not imported: a contact that had opted out before it was exported would be created active. */
export const faultOfStatus = (text: string): string | undefined =>
  ['', 'active'].includes(text.trim().toLowerCase())
    ? undefined
    : 'must be active; add the addresses of other contacts to the suppressions';
