/** Every name of a file. Only this file contains them. */

/** Permissions and lifetimes of files are given by folder. */
export const fileFolders = {
  attachments: 'attachments',
  imports: 'imports',
  refused: 'refused',
  exports: 'exports',
} as const;

export const fileKeys = {
  attachment: (account: string, id: string): string => `${fileFolders.attachments}/${account}/${id}`,
  import: (account: string, id: string): string => `${fileFolders.imports}/${account}/${id}.csv`,
  /** The rows of an import that made no contact. */
  refused: (account: string, id: string): string => `${fileFolders.refused}/${account}/${id}.csv`,
  export: (account: string, id: string): string => `${fileFolders.exports}/${account}/${id}.csv`,
} as const;

/** What the names of all files of an account begin with. */
export const filePrefixes = (account: string): string[] =>
  Object.values(fileFolders).map((folder) => `${folder}/${account}/`);

/** The attachment, import or export that a file belongs to; what a run has left behind has a longer name. */
export const ownerOfFile = (key: string): string => key.split('/')[2]?.slice(0, 36) ?? '';
