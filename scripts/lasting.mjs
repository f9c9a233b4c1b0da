// Plain JavaScript: it runs before anything is installed, on the Node that the machine has.
import { fileURLToPath } from 'node:url'

/** Node's compile cache, so that the next start neither compiles the sources nor keeps the type stripper in memory. */
export const COMPILED = fileURLToPath(new URL('../.next/cache/opener-compiled', import.meta.url))

/**
 * The environment of a long-running process; the user's own values take precedence. It makes glibc's malloc take blocks larger
 * than a few pages directly from the system and return them when freed. By default it keeps such memory, between blocks still in
 * use: 40 MB of the web process, 11 of the supervisor. Other C libraries ignore these variables.
 */
export const LASTING = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '131072',
  NODE_COMPILE_CACHE: COMPILED,
}
