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
