import type { SourceMap } from 'node:module';
import { jsonIn } from '../../shared/kit/json-in.ts';

/** The source map of a function's bundle; undefined when there is none. */
export type FindMap = (functionName: string) => SourceMap | undefined;

/** `…/messages-send-message.js:1:2345`, as a frame of a stack names a place in a bundle. */
const place = /(?<![\w./@-])(?:file:\/\/)?(?:[\w.@-]*\/)*([\w-]+)\.js:(\d+):(\d+)/g;

/** A map names its sources from the folder of the bundle. */
const ownPath = /(?:^|\/)((?:functions|shared|infra|node_modules)\/.*)$/;

/** A text with every place in a bundle replaced by the one in its source. */
const tracedText = (text: string, findMap: FindMap): string =>
  text.replaceAll(place, (shown: string, name: string, line: string, column: string) => {
    const entry = findMap(name)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!entry || !('originalSource' in entry)) return shown;
    const [, source = entry.originalSource] = ownPath.exec(entry.originalSource) ?? [];
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });

/** Lines of a function's log, or any text with a stack, with the places in the sources. A line of JSON is shown over several. */
export const traced = (text: string, findMap: FindMap): string =>
  text
    .split('\n')
    .map((line) => {
      const shown = tracedText(line, findMap);
      const entry = shown.startsWith('{') ? jsonIn(shown) : undefined;
      return entry ? JSON.stringify(entry, stackInLines, 2) : shown;
    })
    .join('\n');

const stackInLines = (key: string, value: unknown): unknown =>
  key === 'stack' && typeof value === 'string' ? value.split('\n').map((frame) => frame.trim()) : value;
