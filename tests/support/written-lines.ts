import fs from 'node:fs'
import { vi } from 'vitest'

/** Lines that pino writes to standard output, collected for the test instead of shown. */
export function keepWrittenLines(): string[] {
  const lines: string[] = []
  const write = fs.write
  vi.spyOn(fs, 'write').mockImplementation(((...args: Parameters<typeof write>) => {
    const [fd, line] = args as unknown[]
    const done = args.at(-1) as unknown as (error: null, bytes: number) => void
    if (fd !== 1 || typeof line !== 'string') return write(...args)
    lines.push(line)
    queueMicrotask(() => done(null, Buffer.byteLength(line)))
  }) as typeof write)
  return lines
}
