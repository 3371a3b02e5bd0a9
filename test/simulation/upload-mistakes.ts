import type { Mistake } from './mistake.ts';

const asUploaded = 'a mail has the files that it was to have, as they were uploaded';
const canBeAttached = 'a file can be attached when it has been uploaded, by its account only';
const agreedSize = 'a URL takes a file of the size that was agreed only';
const abandoned = 'no work is given up or left hanging';

/** Mistakes with uploaded files that the simulation must find. */
export const uploadMistakes: readonly Mistake[] = [
  {
    name: 'a scheduled mail is kept without the end of a large file',
    file: 'shared/table/messages/mail-parts.ts',
    find: 'packed(JSON.stringify({ ...mail, attachments }));',
    replace: 'packed(JSON.stringify({ ...mail, attachments })).slice(0, 2);',
    breaks: [abandoned, asUploaded],
  },
  {
    name: 'the files of a mail are in the order in which they were read',
    file: 'shared/messages/attachment.ts',
    find: '    return Promise.all(sent.map(read));',
    replace: `    const found: MailAttachment[] = [];
    await Promise.all(sent.map(async (file, n) => found.push(await read(file, n))));
    return found;`,
    breaks: [asUploaded],
  },
  {
    name: 'an upload has expired as soon as it is there',
    file: 'shared/table/transfers/upload-store.ts',
    find: 'return item ? [[id, uploadIn(cipher, item)]] : [];',
    replace: 'return item ? [[id, { ...uploadIn(cipher, item), expiresMs: nowMs }]] : [];',
    breaks: [canBeAttached],
  },
  {
    name: 'the URL of a file takes one of any size',
    file: 'shared/table/transfers/uploaded-files.ts',
    find: '{ seconds: uploadSeconds, bytes }',
    replace: '{ seconds: uploadSeconds + bytes * 0 }',
    breaks: [agreedSize],
  },
];
