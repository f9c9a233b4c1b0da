// Plain JavaScript: it runs before anything is installed, on the Node that the machine has.
import { fileURLToPath } from 'node:url'

/** What Node made of the sources, so that the next start need not, nor keep the compiler of types in memory. */
export const COMPILED = fileURLToPath(new URL('../.next/cache/opener-compiled', import.meta.url))

/**
 * The environment of a process that lasts; what the user's own says goes before. glibc's malloc is told to take what is larger than
 * a few pages from the system, and to give it back when it is freed. By itself it keeps such room, in holes between what lives on: 40
 * MB of the web process, 11 of the supervisor. Others do not read it.
 */
export const LASTING = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '131072',
  NODE_COMPILE_CACHE: COMPILED,
}
