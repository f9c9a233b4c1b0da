const WIDTH = 32
const LOOK_EVERY_MS = 400

export const printLine = (line: string) => console.log(line)

/** Polls until the work has ended: with a progress bar on a terminal, elsewhere with one line at the end. */
export async function bar<T>(
  label: string,
  ask: () => Promise<T>,
  read: (state: T) => { done: number; of: number; ended: boolean },
): Promise<T> {
  const started = Date.now()
  for (;;) {
    const state = await ask()
    const { done, of, ended } = read(state)
    const filled = of > 0 ? Math.min(WIDTH, Math.round((done / of) * WIDTH)) : 0
    const seconds = ((Date.now() - started) / 1_000).toFixed(1)
    const line = `${label} [${'█'.repeat(filled)}${'·'.repeat(WIDTH - filled)}] ${done} of ${of}  ${seconds} s`
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[2K${line}`)
    if (ended) {
      process.stdout.write(process.stdout.isTTY ? '\n' : `${line}\n`)
      return state
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

export function table(rows: [string, number][]): void {
  const names = Math.max(...rows.map(([name]) => name.length))
  const numbers = Math.max(...rows.map(([, number]) => String(number).length))
  const edge = '─'.repeat(names + numbers + 6)
  console.log(edge)
  for (const [name, number] of rows)
    console.log(`  ${name.padEnd(names)}  ${String(number).padStart(numbers)}`)
  console.log(edge)
}
