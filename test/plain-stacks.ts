import { setSourceMapsSupport } from 'node:module';

// Vitest has Node look for source maps in every file and for every stack that is read. The sources run as they are, with their own lines.

setSourceMapsSupport(false);
