import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inFull } from '../../test/model-runs.ts';

interface Snippet {
  readonly language: string;
  readonly code: string;
}

interface Case {
  readonly body: string;
  /** Null: the header did not come. */
  readonly signature: string | null;
  readonly secret: string;
  readonly now?: number;
  readonly isGood: boolean;
}

/** Programs that read all cases as JSON from stdin, call a snippet with each as `c`, and print which of them it accepts. */
const languages = [
  {
    language: 'Python',
    isSlow: false,
    version: ['python3', '--version'],
    run: ['python3', 'main.py'],
    files: (code: string, call: string) => ({
      'verify.py': code,
      'main.py': `import json, sys
from verify import *
for c in json.load(sys.stdin): print("true" if ${call} else "false")
`,
    }),
  },
  {
    language: 'Go',
    // It compiles its own libraries first, for half a minute of processor time.
    isSlow: true,
    version: ['go', 'version'],
    run: ['go', 'run', '.'],
    files: (code: string, call: string) => ({
      'go.mod': 'module verify\n',
      'verify.go': code.replace('package verify', 'package main'),
      'main.go': `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

var _ time.Time

func main() {
	var cases []struct {
		Body, Signature, Secret string
		Now                     int64
	}
	json.NewDecoder(os.Stdin).Decode(&cases)
	for _, c := range cases {
		fmt.Println(${call})
	}
}
`,
    }),
  },
  {
    language: 'PHP',
    isSlow: false,
    version: ['php', '--version'],
    run: ['php', 'main.php'],
    files: (code: string, call: string) => ({
      'verify.php': code,
      'main.php': `<?php
require 'verify.php';
foreach (json_decode(stream_get_contents(STDIN), true) as $c) echo ${call} ? 'true' : 'false', "\\n";
`,
    }),
  },
  {
    language: 'Ruby',
    isSlow: false,
    version: ['ruby', '--version'],
    run: ['ruby', 'main.rb'],
    files: (code: string, call: string) => ({
      'verify.rb': code,
      'main.rb': `require 'json'
require_relative 'verify'
JSON.parse(STDIN.read).each { |c| puts ${call} }
`,
    }),
  },
] as const;

const run = ([command, ...options]: readonly [string, ...string[]], cwd?: string, input?: string) =>
  spawnSync(command, options, { cwd, input, encoding: 'utf8' });

/**
 * Declares a test of the snippets for each language beside Node that this machine has; of a slow one with `npm run test:long` only. `calls`: how
 * each calls its snippet.
 */
export const testInOtherLanguages = (
  snippets: readonly Snippet[],
  cases: readonly Case[],
  calls: Readonly<Record<(typeof languages)[number]['language'], string>>,
): void => {
  for (const { language, isSlow, version, run: command, files } of languages) {
    if (isSlow && !inFull) continue;
    it.runIf(run(version).status === 0)(`${language}: accepts and refuses the same deliveries`, () => {
      const folder = mkdtempSync(join(tmpdir(), 'snippet-'));
      const code = snippets.find((snippet) => snippet.language === language)?.code ?? '';
      for (const [name, text] of Object.entries(files(code, calls[language]))) writeFileSync(join(folder, name), text);
      const { stdout, stderr } = run(command, folder, JSON.stringify(cases));
      rmSync(folder, { recursive: true });
      expect(stdout.trim().split('\n'), stderr).toEqual(cases.map(({ isGood }) => String(isGood)));
    });
  }
};
