import { type FSWatcher, readdirSync, statSync, type WatchEventType, watch } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from './complaints.ts';

/** Editors write a file in several steps. */
const settleMs = 50;

interface Reports {
  /** Called with all files that changed, when nothing has changed for a moment. */
  onChanged(files: readonly string[]): void;
  onError(message: string): void;
}

/**
 * Reports the files below these folders that were written, replaced, added or deleted. Each directory has its own watcher: on Linux, a
 * recursive watcher of Node loses a file that another file was renamed over.
 */
export const watchFolders = (folders: readonly string[], { onChanged, onError }: Reports): { close(): void } => {
  const watchers = new Map<string, FSWatcher>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const note = (file: string): void => {
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const files = [...changed];
      changed.clear();
      onChanged(files);
    }, settleMs);
  };

  const open = (directory: string, onFile: (file: string) => void): void => {
    watchers.get(directory)?.close();
    try {
      const watcher = watch(directory, (event, name) => look(event, join(directory, name ?? '')));
      watchers.set(
        directory,
        watcher.on('error', ({ message }) => onError(message)),
      );
      for (const entry of readdirSync(directory, { withFileTypes: true })) {
        const path = join(directory, entry.name);
        if (entry.isDirectory()) open(path, onFile);
        else onFile(path);
      }
    } catch (thrown) {
      if (statsOf(directory)) onError(reasonOf(thrown));
    }
  };

  const look = (event: WatchEventType, path: string): void => {
    if (!statsOf(path)?.isDirectory()) note(path);
    // It is new, or in the place of another. Files may have been written to it before it was watched.
    else if (event === 'rename') open(path, note);
  };

  for (const folder of folders) open(folder, () => undefined);
  return {
    close: () => {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
};

const statsOf = (path: string) => statSync(path, { throwIfNoEntry: false });
