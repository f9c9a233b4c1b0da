// Tasks that misbehave in every way, served as the real ones are.
import { serve } from '#lib/providers/reader/serve'

const kept: Uint8Array[] = []

export const ILL_TASKS = {
  pid: () => process.pid,
  length: (bytes: Uint8Array) => bytes.length,
  spin(ms: number) {
    for (const end = performance.now() + ms; performance.now() < end; );
    return ms
  },
  regexp: (text: string) => /^(a+)+$/.test(text),
  heap() {
    const kept: string[][] = []
    for (;;) kept.push(Array.from({ length: 10_000 }, (_, at) => `${at}-${kept.length}`))
  },
  async buffers() {
    const kept: Uint8Array[] = []
    for (;;) {
      kept.push(new Uint8Array(20_000_000).fill(1))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  },
  grow: () => kept.push(new Uint8Array(100_000_000).fill(1)),
  exit: () => process.exit(3),
  refuse() {
    throw new RangeError('The words are too many.')
  },
  break() {
    throw new Error('A fault of ours.')
  },
  secrets: () => Object.keys(process.env).toSorted(),
  async count(upTo: number, hand: (n: number) => Promise<void>) {
    for (let n = 0; n < upTo; n++) await hand(n)
    return upTo
  },
}

serve(ILL_TASKS, {
  kept_growth_mb: 64,
  refusal: (error) => (error instanceof RangeError ? { code: 'too_many', message: error.message } : null),
})
